'use strict';
// Uses the page "Your data, here" of a self-contained site as a reader does, in Chromium: by keyboard, with a dropped
// file, wrong files, estimate, compare, stop, on a desktop and a phone, light and dark; and compares its answer with the
// command that it names.
//
//   node own_data.cjs SITE ERROREST     the site, and the command `errorest`
//
// Exit status 0: nothing found; 1: a finding.
const assert = require('assert/strict');
const fs = require('fs');
const http = require('http');
const os = require('os');
const path = require('path');
const { execFileSync } = require('child_process');
const { pathToFileURL } = require('url');
const { chromium } = require('playwright-core');

const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const PAGE = 'book/your-data.html';
const PHONE_WIDTH = 360;
const LONG = 240000; // ms, for a busy machine
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.wasm': 'application/wasm' };
const HOSTILE = '<img src=x onerror=window.hurt=1>';

/** Semicolons, decimal commas, umlauts in Windows-1252, gaps, an identifier, 30 groups, and HTML in names and cells. */
function strangersFile() {
  const lines = [`Kennung;Größe;${HOSTILE};Bäckerei;Güte`];
  for (let i = 0; i < 90; i += 1) {
    const size = ((i * 37) % 90) / 10 + ((i * 13) % 7) / 3;
    const cell = i % 11 === 3 ? '' : size.toFixed(3).replace('.', ',');
    lines.push(`${1000 + i};${cell};${i % 3 ? HOSTILE : 'rot'};Haus ${i % 30};${(i * 37) % 90 < 40 === i % 5 > 0 ? 'süß' : 'öde'}`);
  }
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

function serve(site) {
  const server = http.createServer((request, response) => {
    const file = path.join(site, decodeURIComponent(new URL(request.url, 'http://x').pathname));
    if (!file.startsWith(site) || !fs.existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream' });
    return fs.createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** What axe finds serious or critical. */
async function askAxe(page, when) {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'], preload: false });
    return violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.flat(2).join(' ')).slice(0, 3).join('; ')}`);
  });
  assert.deepEqual(found, [], `axe, ${when}`);
}

async function askWidth(page, when) {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(excess <= 1, `${when}: wider than the window by ${excess} px`);
}

/** Drops a file on the form, as a reader's hand does. */
async function drop(page, name, content) {
  await page.evaluate(({ name, bytes }) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], name));
    document.querySelector('.in-page-drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, { name, bytes: [...content] });
}

/** Waits for an answer; the question before a long run is answered with yes. */
async function answered(page, selector = '.in-page-report') {
  const seen = page.locator(`${selector}, .in-page-problem:visible, .in-page-question:visible`).first();
  for (;;) {
    await seen.waitFor({ timeout: LONG });
    const question = page.locator('.in-page-question:visible button').first();
    if (!(await question.count())) return;
    await question.click();
    await question.waitFor({ state: 'detached' });
  }
}

async function problem(page) {
  const shown = page.locator('.in-page-problem:visible');
  await shown.waitFor({ timeout: LONG });
  return shown.textContent();
}

async function run(page) {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await answered(page);
}

const steps = {
  async 'opened from a folder it says how to serve the book'(page, { site }) {
    await page.goto(pathToFileURL(path.join(site, PAGE)).href);
    assert.match(await page.textContent('.in-page-problem'), /python -m http\.server/);
    assert.equal(await page.locator('.in-page button:visible').count(), 0);
  },

  async 'before the button nothing is loaded; the button says how much'(page, { base, asked }) {
    await page.goto(`${base}/${PAGE}`, { waitUntil: 'networkidle' });
    assert.deepEqual(asked.filter((one) => /worker|lock|parts|library/.test(one)), []);
    assert.match(await page.locator('.in-page-go').textContent(), /\d+ MB/);
    await askAxe(page, 'before the button');
  },

  async 'keyboard alone loads it'(page) {
    await page.locator('.in-page-go').focus();
    await page.keyboard.press('Enter');
    await page.locator('.in-page input[type=file]').waitFor({ timeout: LONG });
    assert.equal(await page.evaluate(() => document.activeElement.type), 'file');
  },

  async 'a wrong file is one clear line'(page) {
    for (const [name, content, expected] of [
      ['empty.csv', '', /the file is empty/],
      ['picture.png', '\x89PNG\r\n\x1a\n\0\0\0', /null character/],
      ['book.xlsx', 'PK\x03\x04rest', /Excel workbook/],
      ['numbers.csv', '1,2\n3,4\n', /only numbers/],
    ]) {
      await drop(page, name, Buffer.from(content, 'latin1'));
      await page.locator('.in-page-problem:visible', { hasText: name }).waitFor({ timeout: LONG });
      const text = await problem(page);
      assert.match(text, expected);
      assert.doesNotMatch(text, /\n|Traceback/);
    }
  },

  async 'a dropped file is read; no cell of it is HTML'(page) {
    await drop(page, `Käse ${HOSTILE}.csv`, strangersFile());
    await page.locator('.in-page-table').waitFor({ timeout: LONG });
    assert.match(await page.textContent('.in-page-file'), /separator semicolon, decimal comma, Windows-1252/);
    assert.equal(await page.locator('.in-page-left th').textContent(), 'Kennung');
    await askAxe(page, 'with columns');
  },

  async 'an estimate is that of the command'(page, { errorest }) {
    await page.getByLabel('Cases with one value of this column stay together').selectOption('Bäckerei');
    await page.getByText('More settings').click();
    await page.getByLabel('Method').fill('cv(k=5)');
    await run(page);
    const command = await page.getByLabel('On the command line').textContent();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'errorest-page-'));
    try {
      fs.writeFileSync(path.join(folder, `Käse ${HOSTILE}.csv`), strangersFile());
      const rest = command.replace(/^errorest /, '');
      const printed = execFileSync('/bin/sh', ['-c', `"${errorest}" ${rest}`], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      assert.equal(await page.textContent('.in-page-report .lead'), `${printed.split('\n')[0]}.`);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
    await askAxe(page, 'with an answer');
  },

  async 'two classifiers are compared, with another metric'(page) {
    await page.getByRole('tab', { name: 'Estimate' }).focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.locator('[aria-selected=true]').textContent(), 'Compare');
    await page.getByLabel('Classifier b').selectOption('sklearn-bayes');
    await run(page);
    assert.match(await page.textContent('.in-page-report .lead'), /^Difference of the error rate/);
  },

  async 'Stop ends a run, and the next one starts'(page) {
    await page.getByRole('tab', { name: 'Choose' }).click();
    for (const box of await page.locator('input[name=candidate]').all()) await box.check();
    await page.getByLabel('Method').fill('cv(k=10, repeats=10)');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    assert.match(await problem(page), /^stopped/);
    await page.getByRole('tab', { name: 'Estimate' }).click();
    await page.getByLabel('Method').fill('cv(k=3)');
    await run(page);
    assert.equal(await page.locator('.in-page-report').count(), 1);
  },

  async 'dark, and on a phone'(page) {
    await page.emulateMedia({ colorScheme: 'dark' });
    // colours on their way from light to dark have too little contrast
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark'
      && document.getAnimations().every(({ playState }) => playState !== 'running'));
    await askAxe(page, 'dark');
    await page.setViewportSize({ width: PHONE_WIDTH, height: 800 });
    await askWidth(page, 'on a phone');
    await askAxe(page, 'on a phone');
  },
};

async function main(site, errorest) {
  const server = await serve(site);
  const base = `http://127.0.0.1:${server.address().port}`;
  const executablePath = BROWSERS.find((one) => one && fs.existsSync(one));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
  const asked = [];
  const faults = [];
  page.on('request', (request) => {
    asked.push(request.url());
    if (/^https?:/.test(request.url()) && !request.url().startsWith(`${base}/`)) faults.push(`request to another host: ${request.url()}`);
  });
  page.on('pageerror', (error) => faults.push(`script error: ${error}`));
  let failed = 0;
  for (const [name, step] of Object.entries(steps)) {
    const began = Date.now();
    try {
      await step(page, { site, base, asked, errorest });
      assert.deepEqual(faults, []);
      assert.equal(await page.evaluate(() => window.hurt), undefined, 'a cell of the file ran as HTML');
      console.log(`ok     ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    } catch (error) {
      console.log(`FOUND  ${name}: ${String(error.message ?? error).split('\n').slice(0, 12).join('\n       ')}`);
      failed += 1;
      break;
    }
  }
  await browser.close();
  server.close();
  return failed ? 1 : 0;
}

main(path.resolve(process.argv[2]), path.resolve(process.argv[3])).then((status) => process.exit(status), (error) => {
  console.error(error);
  process.exit(1);
});
