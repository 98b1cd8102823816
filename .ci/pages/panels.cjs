'use strict';
// Uses the panels "Change parameters" of a site at published scale as a reader does, in Chromium: every artifact that
// runs in its page, by keyboard, with a changed parameter, wrong values, a run that takes long, Stop, on a phone.
//
//   node panels.cjs SITE PAGE     the site, and the folder _static/page of a self-contained one
//
// Exit status 0: nothing found; 1: a finding.
const assert = require('assert/strict');
const path = require('path');
const { pathToFileURL } = require('url');
const { LONG, PHONE_WIDTH, answered, askAxe, askWidth, end, problem, take, turnDark } = require('./browser.cjs');

const CALCULATOR = 'notebooks/scheffer-herbrich/03-calculator.html';
// Artifacts by page; at the reduced scale those marked give the recorded numbers, as what was reduced is not theirs
const PAGES = {
  [CALCULATOR]: { 'scheffer-herbrich-calculator': true, 'scheffer-herbrich-test-sizes': true, 'scheffer-herbrich-map': false },
  'notebooks/scheffer-herbrich/01-calculations.html': {
    'scheffer-herbrich-one-shot': false, 'scheffer-herbrich-per-fold': false, 'scheffer-herbrich-fixed': false,
  },
  'notebooks/kohavi/01-iris.html': {
    'kohavi-text-holdout': false, 'kohavi-example-1': false, 'kohavi-text-632': false, 'kohavi-equation-3': false,
  },
  'notebooks/martin-hirschberg/02-discriminant.html': { 'martin-hirschberg-table-4': false },
  'notebooks/guide/01-your-own-data.html': {
    'guide-own-data': true, 'guide-own-estimates': false, 'guide-own-comparison': false, 'guide-own-truth': false, 'guide-own-tuning': false,
  },
};
const PANEL = '#change-parameters';

const field = (page, name) => page.locator(`#panel-${name}`);
const submit = (page) => page.locator(`${PANEL} [type=submit]`);
const resultOf = (id) => `#with-other-parameters-${id}`;
const scale = (page, name) => page.getByRole('button', { name: `${name} scale` }).click();

async function open(page, base, name) {
  await page.goto(`${base}/${name}`, { waitUntil: 'networkidle' });
  await page.locator(`${PANEL} > summary`).click();
}

/** Run an artifact. */
async function run(page, id) {
  await page.locator('#panel-artifact').selectOption(id);
  await page.locator(resultOf(id)).evaluateAll(([old]) => old?.remove());
  await submit(page).click();
  await answered(page, resultOf(id));
  const wrong = page.locator('.in-page-problem:visible');
  if (await wrong.count()) assert.fail(`${id}: ${await wrong.textContent()}`);
}

/** The numbers of an artifact's table by row and column; one column of a wide table is a group of rows in a long one. */
function numbers(page, selector) {
  return page.locator(selector).first().evaluate((part) => {
    const table = part.querySelector('table.errorest-table:not(.errorest-prose)');
    if (!table) return null;
    const [head, ...rows] = [...table.rows].map(({ cells }) => [...cells].map((cell) => cell.textContent.trim()));
    const found = {};
    let group = '';
    for (const [row, ...cells] of rows) {
      if (!cells.length) group = row;
      cells.forEach((cell, at) => { if (cell) found[`${row} | ${cells.length > 1 ? head[at + 1] : group}`] = cell; });
    }
    return found;
  });
}

/** The recorded numbers, which stand before those of a run. */
const published = (page, id) => numbers(page, `section:has(> #artifact-${id}) .errorest-artifact, section#artifact-${id} .errorest-artifact`);

const steps = {
  async 'opened from a folder it writes the command and says how to serve the book'(page, { site }) {
    await page.goto(pathToFileURL(path.join(site, CALCULATOR)).href);
    await page.locator(`${PANEL} > summary`).click();
    await field(page, 'accuracy').fill('0.9');
    assert.match(await page.textContent('.errorest-panel-command'), /-p accuracy=0\.9/);
    assert.match(await page.locator('.in-page-unserved').textContent(), /python -m http\.server/);
    assert.equal(await submit(page).count(), 0);
  },

  async 'by keyboard alone: opened, a parameter changed, run; the recorded numbers stay beside the new ones'(page, { base, asked }) {
    await page.goto(`${base}/${CALCULATOR}`, { waitUntil: 'networkidle' });
    assert.deepEqual(asked.filter((one) => /worker|lock|parts|library/.test(one)), []);
    await page.locator(`${PANEL} > summary`).focus();
    await page.keyboard.press('Enter');
    assert.match(await submit(page).textContent(), /\d+ MB once/);
    await askAxe(page, 'the panel is open');
    await field(page, 'accuracy').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('0.95');
    const before = await published(page, 'scheffer-herbrich-calculator');
    await page.keyboard.press('Enter');
    await answered(page, resultOf('scheffer-herbrich-calculator'));
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'With other parameters');
    assert.match(await page.textContent(`${resultOf('scheffer-herbrich-calculator')} .errorest-used`), /accuracy\s*0\.95\s*0\.85/);
    assert.deepEqual(await published(page, 'scheffer-herbrich-calculator'), before);
    assert.notDeepEqual(await numbers(page, resultOf('scheffer-herbrich-calculator')), before);
    await askAxe(page, 'with a result');
  },

  async 'a wrong value is one clear line, and leaves the last result'(page) {
    for (const [name, value, expected] of [
      ['accuracy', '1.5', /parameter accuracy .*given 1\.5; expected a number/],
      ['sizes', '[50, (100]', /sizes .*given .*expected a list/],
      ['trials', 'many', /trials .*given.*expected/],
    ]) {
      await scale(page, 'Reduced');
      await field(page, name).fill(value);
      await submit(page).click();
      const text = await problem(page);
      assert.match(text, expected);
      assert.doesNotMatch(text, /\n|Traceback|unexpected/);
      assert.equal(await page.locator(resultOf('scheffer-herbrich-calculator')).count(), 1);
    }
    await scale(page, 'Published');
    await submit(page).click();
    await page.locator('.in-page-problem:visible', { hasText: 'published parameters' }).waitFor({ timeout: LONG });
  },

  async 'on a phone, dark'(page) {
    await turnDark(page);
    await page.setViewportSize({ width: PHONE_WIDTH, height: 800 });
    await askWidth(page, 'on a phone');
    await askAxe(page, 'on a phone');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 900 });
  },

  async 'a run that takes long is asked about, Stop ends it, and the next one starts'(page, { base }) {
    await open(page, base, 'notebooks/martin-hirschberg/02-discriminant.html');
    await scale(page, 'Published');
    await field(page, 'samples').fill('99');
    await submit(page).click();
    const question = page.locator('.in-page-question:visible');
    await question.waitFor({ timeout: LONG });
    assert.match(await question.textContent(), /This takes about \d+ (seconds|minutes)/);
    await question.getByRole('button', { name: 'Run it', exact: true }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    assert.match(await problem(page), /^stopped/);
    assert.equal(await page.locator('.errorest-panel-result').count(), 0);
    await scale(page, 'Reduced');
    await run(page, 'martin-hirschberg-table-4');
  },
};

for (const [name, artifacts] of Object.entries(PAGES)) {
  steps[`as the panel is filled in, ${name} gives numbers, those of the record where nothing of theirs was reduced`] = async (page, { base }) => {
    await open(page, base, name);
    const offered = await page.locator('#panel-artifact option').evaluateAll((all) => all.map(({ value }) => value));
    assert.deepEqual(offered.sort(), Object.keys(artifacts).sort());
    for (const [id, same] of Object.entries(artifacts)) {
      await run(page, id);
      const drawn = await page.locator(`${resultOf(id)} img`).evaluateAll((all) => all.map((one) => one.naturalWidth > 0));
      assert.ok(drawn.every(Boolean), `${id}: a figure is not shown`);
      const found = await numbers(page, resultOf(id));
      const tables = await page.locator(`${resultOf(id)} table:not(.errorest-used)`).count();
      assert.ok(drawn.length + tables, `${id}: neither figure nor table`);
      if (same) assert.deepEqual(found, await published(page, id), id);
    }
  };
}

end(take(path.resolve(process.argv[2]), steps, { parts: path.resolve(process.argv[3]) }));
