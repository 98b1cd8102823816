'use strict';
// What the checks that use a page share: a server of the site, Chromium, axe, the width of a page, and steps one after
// the other, in which no script may fail and nothing may be asked of another host.
const assert = require('assert/strict');
const fs = require('fs');
const http = require('http');
const path = require('path');
const { chromium } = require('playwright-core');

const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const PHONE_WIDTH = 360;
const LONG = 240000; // ms, for a busy machine
const PARTS = '/_static/page/';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.wasm': 'application/wasm', '.svg': 'image/svg+xml' };

/** Serve a site on this machine, what pages load to run Python from another folder if one is named; server, address. */
async function serve(site, parts = path.join(site, PARTS)) {
  const server = http.createServer((request, response) => {
    const name = path.normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    const file = name.startsWith(PARTS) ? path.join(parts, name.slice(PARTS.length)) : path.join(site, name);
    if (!fs.existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream' });
    return fs.createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, base: `http://127.0.0.1:${server.address().port}` };
}

function launch() {
  const executablePath = BROWSERS.find((one) => one && fs.existsSync(one));
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
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

/** Turn the page dark; colours on their way from light to dark have too little contrast. */
async function turnDark(page) {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark'
    && document.getAnimations().every(({ playState }) => playState !== 'running'));
}

/** Drop a file on the form of the page "Your data, here", as a reader's hand does. */
async function drop(page, name, content) {
  await page.evaluate(({ name, bytes }) => {
    const data = new DataTransfer();
    const binary = atob(bytes);
    data.items.add(new File([Uint8Array.from(binary, (one) => one.charCodeAt(0))], name));
    document.querySelector('.in-page-drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, { name, bytes: content.toString('base64') });
}

/** Wait for what a run ends with, `selector` or a problem; the question before a long run is answered with yes. */
async function answered(page, selector) {
  const seen = page.locator(`${selector}, .in-page-problem:visible, .in-page-question:visible`).first();
  for (;;) {
    await seen.waitFor({ timeout: LONG });
    const question = page.locator('.in-page-question:visible button').first();
    if (!(await question.count())) return;
    await question.click();
    await question.waitFor({ state: 'detached' });
  }
}

/** The line that says what is wrong. */
async function problem(page) {
  const shown = page.locator('.in-page-problem:visible');
  await shown.waitFor({ timeout: LONG });
  return shown.textContent();
}

/** Take the steps one after the other, each with the page and { site, base, asked, ... }; 0, or 1 if one failed. */
async function take(site, steps, { parts, ...more } = {}) {
  const { server, base } = await serve(site, parts);
  const browser = await launch();
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
      await step(page, { site, base, asked, ...more });
      assert.deepEqual(faults, []);
      assert.equal(await page.evaluate(() => window.hurt), undefined, 'a cell of the file ran as HTML');
      console.log(`ok     ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    } catch (error) {
      console.log(`FOUND  ${name}: ${String(error.message ?? error).split('\n').slice(0, 12).join('\n       ')}`);
      failed = 1;
      break;
    }
  }
  await browser.close();
  server.close();
  return failed;
}

/** End with the status of a check; 1 where it could not run either. */
function end(check) {
  check.then((status) => process.exit(status), (error) => {
    console.error(String(error.message ?? error).slice(0, 1000));
    process.exit(1);
  });
}

module.exports = { LONG, PHONE_WIDTH, answered, askAxe, askWidth, drop, end, launch, problem, serve, take, turnDark };
