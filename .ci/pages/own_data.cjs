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
const os = require('os');
const path = require('path');
const { execFileSync } = require('child_process');
const { pathToFileURL } = require('url');
const { LONG, PHONE_WIDTH, answered, askAxe, askWidth, drop, end, problem, take, turnDark } = require('./browser.cjs');

const PAGE = 'book/your-data.html';
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

async function run(page) {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await answered(page, '.in-page-report');
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
      ['old.csv', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0', /Excel workbook of before 2007/],
      ['numbers.csv', '1,2\n3,4\n', /only numbers/],
      ['headless.csv', '1.5,red\n2.5,blue\n3,red\n', /the first line looks like a case \(.red. stands below it too\)/],
      ['headed.csv', 'a,b,class\n', /no case below the header/],
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
    await turnDark(page);
    await askAxe(page, 'dark');
    await page.setViewportSize({ width: PHONE_WIDTH, height: 800 });
    await askWidth(page, 'on a phone');
    await askAxe(page, 'on a phone');
  },
};

end(take(path.resolve(process.argv[2]), steps, { errorest: path.resolve(process.argv[3]) }));
