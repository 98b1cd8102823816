'use strict';
// Does in a browser what seven readers came for, from the landing page, by the search and by links, and says what each
// took: clicks, and seconds of a practised reader by the keystroke-level model (Card, Moran & Newell 1980) and of the
// pages together.  It fails where an answer is missing, is not the one that the data have, or took more than allowed.
//
//   node tasks.cjs SITE [COMPENDIUM]     with the command `compendium`, what a page says to run is run as well
//
// Exit status 0: all done; 1: tasks that fail, listed; 2: the check itself could not run.
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { pathToFileURL } = require('url');
const { chromium } = require('playwright-core');

const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const CLICK = 1.1 + 0.2 + 1.35; // seconds to point, to press, and to make up one's mind
const KEY = 0.28;
const SCROLL = 1.35 + 1; // to make up one's mind, and to stop where it is
const LANDING = 'book/index.html';
const WAIT = 30000;
const CASES = 90; // of the file that a page's command is tried on

class Failed extends Error {}

function expect(holds, what) {
  if (!holds) throw new Failed(what);
}

/** A reader at a browser, who counts clicks and the seconds that hands take. */
class Reader {
  constructor(page, site) {
    Object.assign(this, { page, site, clicks: 0, seconds: 0 });
  }

  async click(target) {
    this.clicks += 1;
    this.seconds += CLICK;
    await target.click({ timeout: WAIT });
    await this.page.waitForLoadState('load');
  }

  async fill(field, text) {
    this.clicks += 1;
    this.seconds += CLICK + KEY * text.length;
    await field.fill(text, { timeout: WAIT });
  }

  async choose(list, option) {
    this.clicks += 2;
    this.seconds += 2 * CLICK;
    await list.selectOption({ label: option }, { timeout: WAIT });
  }

  async press(key, times = 1) {
    this.seconds += KEY * times;
    for (let n = 0; n < times; n += 1) await this.page.keyboard.press(key);
  }

  async scrollTo(target) {
    this.seconds += SCROLL;
    await target.scrollIntoViewIfNeeded({ timeout: WAIT });
  }

  /** Asks the search and opens the answer whose address ends in one of these ways, of the first two that it gives. */
  async search(question, ...endings) {
    await this.click(this.page.locator('.search-button-field:visible, .search-button:visible').first());
    this.seconds += KEY * (question.length + 1);
    await this.page.locator('dialog input[name="q"]').fill(question, { timeout: WAIT });
    await this.page.keyboard.press('Enter');
    const answers = this.page.locator('#search-results li > a');
    await answers.first().waitFor({ timeout: WAIT });
    const first = await answers.evaluateAll((links) => links.slice(0, 2).map((link) => link.pathname));
    const place = first.findIndex((address) => endings.some((ending) => address.endsWith(ending)));
    expect(place >= 0, `"${question}" finds ${first.map((address) => path.basename(address)).join(', ')} first`);
    await this.click(answers.nth(place));
  }

  /** Whether the first words of an element lie within the window, as a whole sideways and with their top. */
  seen(target) {
    return target.evaluate((element) => {
      const words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      do words.nextNode(); while (!words.currentNode.data.trim());
      const range = document.createRange();
      range.selectNodeContents(words.currentNode);
      const box = range.getBoundingClientRect();
      return box.width > 0 && box.left >= 0 && box.right <= innerWidth + 1 && box.top >= 0 && box.top <= innerHeight;
    });
  }
}

function readTable(file) {
  const [head, ...lines] = fs.readFileSync(file, 'utf8').trim().split('\n').map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(head.map((name, place) => [name, line[place]])));
}

// 60 cases and a pruned tree: which estimator, which interval, and how often that contains the error, as measured
async function student(reader) {
  const { page, site } = reader;
  await reader.fill(page.getByLabel('Number of cases'), '60');
  await reader.choose(page.getByLabel('Kind of classifier'), 'Pruned tree (C4.5)');
  const row = page.locator('.errorest-lookup tbody tr:visible');
  expect(await row.count() === 1, `${await row.count()} rows answer`);
  const text = await row.textContent();
  expect(/\.632\+/.test(text), `no estimator: ${text}`);
  const told = /([\d.]+) % of samples of (\d+).*?\((this|all) kind/.exec(text);
  if (!told && !judged(site)) return 'estimator and interval; a preview does not measure the coverage';
  expect(told, `no coverage: ${text}`);
  const cells = readTable(path.join(site, 'artifacts/guide-coverage-map-cells.csv'))
    .filter((cell) => cell.method === '.632+-to-Wilson' && cell.n === told[2])
    .filter((cell) => (told[3] === 'this' ? cell.inducer === 'c4.5' : cell.inducer !== 'majority'));
  const mean = cells.reduce((sum, cell) => sum + 100 * Number(cell['this-classifier']), 0) / cells.length;
  expect(Math.abs(mean - Number(told[1])) <= 0.5001, `${told[1]} % is told, ${mean.toFixed(1)} % was measured`);
  return `${told[1]} % of samples, as measured`;
}

// one printed number of Shakhnarovich's Table 9 with ours, why they differ, and the code that made ours
async function referee(reader) {
  const { page, site } = reader;
  await reader.search('Shakhnarovich Table 9', 'artifacts/shakhnarovich-table-9.html');
  const ours = judged(site) ? 'td:visible:has(.verdict-sign.differs)' : 'td.num:visible';
  expect(/\d/.test(await page.locator(`.errorest-artifact ${ours}`).first().textContent({ timeout: WAIT })), 'no number');
  const code = page.locator('.errorest-made a');
  for (const address of await code.evaluateAll((links) => links.map((link) => link.href))) {
    const { pathname, hash } = new URL(address);
    expect(fs.readFileSync(decodeURIComponent(pathname), 'utf8').includes(`id="${hash.slice(1)}"`), `no code at ${address}`);
  }
  expect(await code.count() >= 2, 'no link to what samples, trains and tabulates');
  if (judged(site)) {
    const why = page.locator('.errorest-artifact td:visible sup a').first();
    await reader.click(why);
    const reason = page.locator(new URL(await why.evaluate((link) => link.href)).hash);
    expect(await reader.seen(reason) && (await reason.textContent()).length > 40, 'no reason in sight');
    return `reason: ${(await reason.textContent()).slice(0, 60)}…`;
  }
  return 'cell and code; a preview has no verdicts';
}

// the page on another data set says how to run it on a file; with a file of 90 cases that runs
async function rerunner(reader, compendium) {
  const { page } = reader;
  await reader.click(page.locator('main a[href$="papers/kohavi.html"]').first());
  await reader.click(page.locator('main a[href*="04-another-data-set.html"]').first());
  const command = await page.locator('.errorest-short code', { hasText: 'my.csv' }).first().textContent({ timeout: WAIT });
  if (!compendium) return `says ${command}`;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reader-'));
  try {
    const file = path.join(folder, 'my.csv');
    const lines = Array.from({ length: CASES }, (_, n) => `${(n * 37) % 90 + 20 * (n % 2)},${(n * 53) % 90},${n % 2 ? 'yes' : 'no'}`);
    fs.writeFileSync(file, `a,b,y\n${lines.join('\n')}\n`);
    const words = command.match(/"[^"]*"|\S+/g).slice(1).map((word) => word.replaceAll('"', '').replace('my.csv', file));
    const started = Date.now();
    const done = spawnSync(compendium, [...words, '--scale', 'preview', '--out', path.join(folder, 'run')], { encoding: 'utf8' });
    expect(done.status === 0, `${command} ends with: ${done.stderr.trim().split('\n').at(-1)}`);
    return `says ${command}; with ${CASES} cases at the reduced scale it ran in ${Math.round((Date.now() - started) / 1000)} s`;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

// a number of Martin & Hirschberg's Table 4 as it is cited: paper, table, row, quantity, print and ours, version, address
async function citer(reader) {
  const { page, site } = reader;
  await reader.search('Martin Hirschberg table 4', 'artifacts/martin-hirschberg-table-4.html');
  const row = page.locator('th[scope="row"][id]:visible', { hasText: 'Leave-one-out' }).first();
  await row.hover({ timeout: WAIT });
  await reader.click(row.locator('.errorest-rowlink').first());
  const cited = await page.locator('.errorest-told').textContent({ timeout: WAIT });
  const numbers = judged(site) ? ['printed ', 'regenerated ', '±'] : [];
  for (const part of ['Martin', 'Table 4', 'Leave-one-out', 'Version', '#row-', ...numbers]) {
    expect(cited.includes(part), `"${part.trim()}" is not in: ${cited}`);
  }
  if (judged(site)) {
    await reader.click(page.locator('.errorest-citation summary'));
    const entry = await page.locator('.errorest-citation pre').textContent();
    expect(/version\s*=/.test(entry) && !/\{[a-z_]+\}[^,\n]/.test(entry), `BibTeX: ${entry}`);
  }
  return `${cited.slice(0, 90)}…`;
}

// how a search over settings is passed to the library, and what that prints
async function programmer(reader) {
  const { page } = reader;
  await reader.search('GridSearchCV', 'errorest.estimate.html', 'errorest.choose.html');
  const example = await page.locator('pre', { hasText: 'GridSearchCV(' }).first().textContent({ timeout: WAIT });
  expect(/print\(.*\)[\s\S]*\d %/.test(example), 'no example with what it prints');
  return 'an example with what it prints';
}

// on a phone, in the dark: the answer for 60 cases without scrolling sideways; in the chooser the interval stays in sight
async function phone(reader) {
  const { page } = reader;
  await reader.fill(page.getByLabel('Number of cases'), '60');
  const told = page.locator('.errorest-lookup tbody tr:visible td[data-label^="Interval contains"]');
  await reader.scrollTo(told);
  expect(await reader.seen(told), 'the coverage is not in sight');
  await reader.click(page.locator('main').getByRole('link', { name: 'How often each interval contains the true error' }));
  await reader.click(page.locator('.errorest-choice > summary'));
  const frame = page.locator('.errorest-choice .errorest-scroll');
  await frame.evaluate((box) => { box.scrollLeft = box.scrollWidth; });
  expect(await reader.seen(frame.locator('tbody tr:visible th').first()), 'the interval is scrolled out of sight');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), 'the page scrolls sideways');
  return 'coverage in sight; the interval stays as its numbers are scrolled';
}

// by keyboard and ear: past the menu at once, to the number of cases, whose answer is announced
async function listener(reader) {
  const { page } = reader;
  await reader.press('Tab');
  expect(/skip/i.test(await page.evaluate(() => document.activeElement.textContent)), 'the first stop skips no menu');
  await reader.press('Enter');
  let stops = 0;
  const label = () => page.evaluate(() => document.activeElement.labels?.[0]?.textContent ?? '');
  while (await label() !== 'Number of cases') {
    expect(stops < 12, `after ${stops} stops the number of cases is not reached`);
    await reader.press('Tab');
    stops += 1;
  }
  await page.keyboard.press('Control+A');
  await reader.press('6');
  await reader.press('0');
  const row = page.locator('.errorest-lookup tbody tr:visible');
  expect(await row.evaluate((line) => Boolean(line.closest('[aria-live]'))), 'the answer is not announced');
  expect(/32 to 70|\b60\b|to \d+/.test(await row.textContent()), 'no answer');
  return `${stops} stops to the number of cases; the answer is announced`;
}

// by links alone to a row of a printed table, which is then in sight
async function walker(reader) {
  const { page, site } = reader;
  const main = page.locator('main article');
  for (const name of [/^Shakhnarovich, El-Yaniv & Baram: data cloning$/, /^Table 13: /, /^All of Table 13$/]) {
    await reader.click(main.getByRole('link', { name }).first());
  }
  const row = page.locator('[id="row-shakhnarovich-table-13:1-nn/resubstitution"]');
  await reader.scrollTo(row);
  const ours = row.locator('xpath=following-sibling::td').nth(judged(site) ? 1 : 0);
  expect(await reader.seen(row) && await reader.seen(ours), 'row and number are not in sight together');
  expect(/\d/.test(await ours.textContent()), 'no number');
  return 'row and number in sight';
}

const TASKS = [ // who, what is done, most clicks and seconds, and whether on a phone in the dark
  ['student: 60 cases, pruned tree', student, 3, 20],
  ['referee: a cell of Table 9, reason and code', referee, 3, 40],
  ['re-executor: a CSV of 90 cases', rerunner, 3, 40],
  ['citer: a row of Table 4', citer, 4, 40],
  ['programmer: GridSearchCV', programmer, 2, 20],
  ['phone, dark: coverage for 60 cases', phone, 3, 20, true],
  ['keyboard and ear: 60 cases', listener, 0, 20],
  ['by links: a row of Table 13', walker, 3, 40],
  ['by links, phone: a row of Table 13', walker, 3, 40, true],
];

/** Whether the site has verdicts: a preview has none. */
function judged(site) {
  return JSON.parse(fs.readFileSync(path.join(site, 'edition.json'), 'utf8')).scale === 'published';
}

async function main() {
  const [folder, compendium] = process.argv.slice(2);
  const executablePath = BROWSERS.find((candidate) => candidate && fs.existsSync(candidate));
  if (!folder || !fs.existsSync(path.join(folder, LANDING)) || !executablePath) {
    console.error("error: no built pages or no Chromium; expected both; run 'make preview', install Chromium or name it in CHROMIUM");
    return 2;
  }
  const site = fs.realpathSync(folder);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
  let failed = 0;
  console.log('| reader | clicks | seconds | came to |\n| --- | --: | --: | --- |');
  for (const [who, task, clicks, seconds, onPhone = false] of TASKS) {
    const context = await browser.newContext({
      viewport: onPhone ? { width: 390, height: 844 } : { width: 1280, height: 900 },
      isMobile: onPhone,
      hasTouch: onPhone,
      colorScheme: onPhone ? 'dark' : 'light',
      reducedMotion: 'reduce',
    });
    const reader = new Reader(await context.newPage(), site);
    let [cameTo, took] = ['', 0];
    try {
      const started = Date.now();
      await reader.page.goto(pathToFileURL(path.join(site, LANDING)).href, { waitUntil: 'load', timeout: WAIT });
      cameTo = await task(reader, compendium && path.resolve(compendium));
      took = reader.seconds + (task === rerunner ? 0 : (Date.now() - started) / 1000);
      expect(reader.clicks <= clicks, `${reader.clicks} clicks; at most ${clicks} are allowed`);
      expect(took <= seconds, `${took.toFixed(0)} s; at most ${seconds} are allowed`);
    } catch (error) {
      failed += 1;
      cameTo = `FAILED: ${String(error.message).split('\n')[0].slice(0, 300)}`;
    }
    console.log(`| ${who} | ${reader.clicks} | ${took.toFixed(0)} | ${cameTo.replaceAll('|', '\\|')} |`);
    await context.close();
  }
  await browser.close();
  return failed ? 1 : 0;
}

main().then((status) => process.exit(status), (error) => {
  console.error(error);
  process.exit(2);
});
