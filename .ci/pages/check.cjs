'use strict';
// Opens every built page as its readers do (desktop and phone, light and dark, from a folder, without a network) and
// says what is wrong: accessibility, script errors, requests to other hosts, missing files, broken links and anchors,
// images without a text that says something, anything wider than a phone, figures that scroll sideways there, pages that
// load too much.  Of a whole site also: the search finds something, and
// a number is looked up by clicks from the landing page.
//
//   node check.cjs SITE [PAGE ...]     all pages of SITE, or only those named
//
// Exit status 0: nothing found; 1: findings, listed; 2: the check itself could not run.
const fs = require('fs');
const path = require('path');
const { pathToFileURL, fileURLToPath } = require('url');
const { chromium } = require('playwright-core');

const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const PHONE_WIDTH = 390;
const SHORTEST_ALT = 15; // characters; a figure's number alone is shorter, a sentence is longer
const AT_ONCE = 2;
const HEAVIEST = 600 * 1024; // bytes of a page with its style sheets and scripts, without figures and what draws formulas
const LANDING = { page: 'book/index.html', heaviest: 1e6 }; // with its figures
const QUESTION = 'leave-one-out'; // what the search is asked
const WAY = { // clicks from the landing page to a number, and the number
  from: 'book/index.html',
  links: [/^Shakhnarovich, El-Yaniv & Baram: data cloning$/, /^Table 13: /, /^All of Table 13$/],
  fold: '.errorest-long > summary',
  row: 'row-shakhnarovich-table-13:1-nn/resubstitution',
  column: 'Root mean square error',
};
const DEVICES = [ // one page is loaded in light and turns dark, the other the other way round
  { name: 'desktop', phone: false, colours: ['light', 'dark'] },
  { name: 'phone', phone: true, colours: ['dark', 'light'] },
];
const VIEWS = DEVICES.length * 2;
const OF_COLOURS = ['color-contrast', 'link-in-text-block']; // what axe looks at again as a page turns

class CannotRun extends Error {}

/** How a page is first seen on a device. */
function firstView(device) {
  return `${device.name} ${device.colours[0]}`;
}

/** Findings by what was found, so that a fault of the template stands once and not on every page. */
class Findings {
  constructor() {
    this.kinds = new Map();
  }

  add(what, page, view, example = '') {
    if (!this.kinds.has(what)) this.kinds.set(what, { views: new Set(), pages: new Map() });
    const kind = this.kinds.get(what);
    kind.views.add(view);
    if (!kind.pages.has(page)) kind.pages.set(page, example);
  }

  print() {
    for (const [what, { views, pages }] of [...this.kinds].sort()) {
      const seen = views.size === VIEWS ? 'all views' : [...views].join(', ');
      console.log(`FOUND ${what} [${seen}]`);
      const listed = [...pages].sort();
      for (const [page, example] of listed.slice(0, 4)) console.log(`      ${page}${example && `: ${example}`}`);
      if (listed.length > 4) console.log(`      and ${listed.length - 4} more pages`);
    }
  }

  get places() {
    return [...this.kinds.values()].reduce((sum, { pages }) => sum + pages.size, 0);
  }
}

/** Of pages of source code, which are alike, every tenth; all others. */
function looked(site) {
  const pages = pagesOf(site);
  const ofSource = pages.filter((page) => path.relative(site, page).startsWith(`source${path.sep}`));
  return pages.filter((page) => !ofSource.includes(page) || ofSource.indexOf(page) % 10 === 0);
}

/** Every page of the site; folders that start with an underscore hold what pages are made of. */
function pagesOf(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const whole = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith('_') ? [] : pagesOf(whole);
    return entry.name.endsWith('.html') ? [whole] : [];
  }).sort();
}

const anchorsOf = (() => {
  const known = new Map();
  return (file) => {
    if (!known.has(file)) {
      const names = fs.readFileSync(file, 'utf8').matchAll(/\s(?:id|name)\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s"'>]+))/g);
      known.set(file, new Set([...names].map((match) => (match[1] ?? match[2] ?? match[3]).replaceAll('&amp;', '&'))));
    }
    return known.get(file);
  };
})();

/** What is wrong with a link of a page on disk, or null. */
function faultOfLink(site, href) {
  const address = new URL(href);
  if (address.protocol !== 'file:') return null;
  const fragment = decodeURIComponent(address.hash.slice(1));
  address.hash = address.search = '';
  const target = fileURLToPath(address);
  const shown = path.relative(site, target) || '.';
  if (shown.startsWith('..')) return ['link that leads out of the site', shown];
  if (!fs.existsSync(target)) return ['broken link', shown];
  if (fs.statSync(target).isDirectory()) return ['link to a folder, which opens no page from a disk', shown];
  if (fs.statSync(target).size === 0) return ['link to an empty file', shown];
  if (fragment && target.endsWith('.html') && !anchorsOf(target).has(fragment)) return ['broken anchor', `${shown}#${fragment}`];
  return null;
}

/** Waits until images, fonts and formulas stand, whichever of them scripts bring late. */
async function settle(page) {
  await page.evaluate(async () => {
    const late = async () => {
      for (const image of document.images) image.loading = 'eager';
      await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
      await window.MathJax?.startup?.promise;
      await document.fonts.ready;
    };
    await Promise.race([late(), new Promise((resolve) => setTimeout(resolve, 10000))]);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

/** Runs in the page: what holds on every device alike. */
function readPage() {
  const inMain = (element) => Boolean(element.closest('main'));
  const labelled = (element) => Boolean(element.closest('main [aria-label], main [aria-labelledby]'));
  return {
    hasMain: Boolean(document.querySelector('main')),
    links: [...new Set([...document.querySelectorAll('a[href], area[href]')].map((link) => link.href))],
    hints: [...document.querySelectorAll('link[rel~="preconnect"], link[rel~="dns-prefetch"]')].map((link) => link.href),
    images: [...document.images].filter(inMain).map((image) => ({
      source: (image.getAttribute('src') ?? '').slice(0, 80),
      alt: (image.getAttribute('alt') ?? '').trim(),
      loaded: image.complete && image.naturalWidth > 0,
    })),
    // a drawing by a script (Vega) carries its description as a label
    unlabelledDrawings: [...document.querySelectorAll('main canvas, main [role="graphics-document"]')]
      .filter((drawing) => !labelled(drawing)).length,
  };
}

/** Runs in the page: how much wider than the window it is, and what is cut off without a way to scroll to it. */
function readWidths(width) {
  const reachable = (element) => {
    for (let box = element; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      // what is fixed slides in when asked for, and what is clipped is for screen readers
      if (style.position === 'fixed' || style.clip !== 'auto' || style.clipPath !== 'none') return true;
      if (box !== element && /auto|scroll/.test(style.overflowX)) return true;
    }
    return false;
  };
  const name = (element) => element.tagName.toLowerCase() + [...element.classList].slice(0, 2).map((c) => `.${c}`).join('')
    + ` "${element.textContent.trim().replace(/\s+/g, ' ').slice(0, 40)}"`;
  const room = document.querySelector('main article') ?? document.querySelector('main') ?? document.body;
  const wide = [...room.querySelectorAll('*')].filter((element) =>
    element.getBoundingClientRect().right > width + 1 && element.checkVisibility() && !reachable(element));
  const scrolled = [...room.querySelectorAll('figure, figure *')].filter((element) =>
    element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX));
  return {
    excess: document.documentElement.scrollWidth - width,
    wide: wide.slice(0, 2).map(name),
    figures: scrolled.slice(0, 2).map(name),
  };
}

/** Adds what a page loads in vain, or too much of. */
function judgeWeight(shown, loaded, device, hasFormula, add) {
  const bytes = (files) => files.reduce((sum, file) => sum + (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  const files = [...loaded];
  const ofSearch = (file) => path.basename(file) === 'searchindex.js'; // of the search page, which looks in it
  const ofFormulas = (file) => file.includes(`${path.sep}mathjax${path.sep}`);
  const figure = (file) => /\.(svg|png|jpe?g|gif|webp)$/.test(file);
  const drawn = fs.readFileSync(files[0], 'utf8').match(/<svg\b.*?<\/svg>/gs)?.join('').length ?? 0;
  const weight = bytes(files.filter((file) => !figure(file) && !ofFormulas(file) && !ofSearch(file))) - drawn;
  if (weight > HEAVIEST) add('page of too many bytes', `${Math.round(weight / 1000)} kB without figures`);
  if (shown === path.normalize(LANDING.page) && bytes(files) > LANDING.heaviest) {
    add('landing page of too many bytes', `${Math.round(bytes(files) / 1000)} kB`);
  }
  if (!hasFormula && files.some(ofFormulas)) add('page that loads MathJax without a formula');
  if (device.colours[0] === 'light' && files.some((file) => file.endsWith('-dark.svg'))) add('light page that loads dark figures');
}

function judgeContent(site, content, add) {
  if (!content.hasMain) add('page without a main part');
  for (const hint of content.hints) add(`hint to connect to another host: ${hint}`);
  for (const href of content.links) {
    const fault = faultOfLink(site, href);
    if (fault) add(`${fault[0]}: ${fault[1]}`);
  }
  for (const { source, alt, loaded } of content.images) {
    if (!loaded) add(`image not loaded: ${source}`);
    if (!alt) add(`image without an alternative text: ${source}`);
    else if (alt.length < SHORTEST_ALT || /^\S+\.(png|svg|jpe?g|gif|webp)$/i.test(alt)) {
      add(`alternative text that says nothing: ${source}`, `"${alt}"`);
    }
  }
  if (content.unlabelledDrawings) add('drawing without a description', `${content.unlabelledDrawings} of them`);
}

/** Adds what axe finds serious or critical; of the named rules alone, where some are named. */
async function askAxe(page, add, rules) {
  const violations = await page.evaluate(async (named) => {
    const only = named ? { runOnly: { type: 'rule', values: named } } : {};
    const result = await window.axe.run(document, { resultTypes: ['violations'], preload: false, ...only });
    return result.violations.map(({ id, impact, help, nodes }) =>
      ({ id, impact, help, count: nodes.length, first: nodes[0].target.flat(2).join(' ') }));
  }, rules);
  for (const { id, impact, help, count, first } of violations) {
    if (impact === 'serious' || impact === 'critical') add(`axe ${impact} ${id}: ${help}`, `${count} times, first at ${first}`);
  }
}

/** Opens a page once on a device, in one colour scheme, and looks again as the reader asks for the other one. */
async function lookAt(context, site, file, device, findings) {
  const shown = path.relative(site, file);
  let view = firstView(device);
  const add = (what, example) => findings.add(what, shown, view, example);
  const page = await context.newPage();
  const loaded = new Set([file]);
  try {
    page.on('pageerror', (error) => add(`script error: ${String(error).split('\n')[0].slice(0, 160)}`));
    page.on('websocket', (socket) => add(`request to another host: ${socket.url().slice(0, 120)}`));
    page.on('console', (message) => {
      // a file that failed to load is named by the request itself, below
      const told = message.text().split('\n')[0].slice(0, 160);
      if (message.type() === 'error' && !told.startsWith('Failed to load resource')) add(`console error: ${told}`);
    });
    page.on('request', (request) => {
      const address = request.url();
      if (/^(https?|ftp):/.test(address)) add(`request to another host: ${address.slice(0, 120)}`);
      if (address.startsWith('file:')) loaded.add(fileURLToPath(address.split(/[?#]/)[0]));
    });
    page.on('requestfailed', (request) => {
      const address = request.url();
      if (address.startsWith('file:')) add(`missing file: ${path.relative(site, fileURLToPath(address.split(/[?#]/)[0]))}`);
    });
    await page.goto(pathToFileURL(file).href, { waitUntil: 'networkidle', timeout: 60000 });
    await settle(page);
    judgeWeight(shown, loaded, device, await page.evaluate(() => Boolean(document.querySelector('mjx-container, .math'))), add);
    if (!device.phone) judgeContent(site, await page.evaluate(readPage), add);
    if (device.phone) await judgeWidths(page, add);
    await page.evaluate(AXE);
    await askAxe(page, add);
    view = `${device.name} ${device.colours[1]}`;
    const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: device.colours[1] });
    await settle(page);
    if (await page.evaluate(() => getComputedStyle(document.body).backgroundColor) === colour) {
      add('page that keeps its colours when its reader asks for others', colour);
    }
    if (device.phone) await judgeWidths(page, add);
    await askAxe(page, add, OF_COLOURS);
  } catch (error) {
    add(`page could not be looked at: ${String(error).split('\n')[0].slice(0, 160)}`);
  } finally {
    await page.close();
  }
}

async function judgeWidths(page, add) {
  const { excess, wide, figures } = await page.evaluate(readWidths, PHONE_WIDTH);
  if (figures.length) add('figure that scrolls sideways on a phone', figures.join('; '));
  if (excess > 1) add('page wider than a phone', `by ${excess} px; ${wide.join('; ')}`);
  else if (wide.length) add('cut off at the edge of a phone', wide.join('; '));
}

/** Asks the search as a reader does; it works from a folder. */
async function askSearch(context, site, findings) {
  const page = await context.newPage();
  try {
    await page.goto(`${pathToFileURL(path.join(site, 'search.html')).href}?q=${QUESTION}`, { waitUntil: 'load', timeout: 60000 });
    await page.locator('#search-results li a').first().waitFor({ timeout: 20000 });
  } catch (error) {
    findings.add(`search for "${QUESTION}" finds nothing: ${String(error).split('\n')[0].slice(0, 160)}`, 'search.html', firstView(DEVICES[0]));
  } finally {
    await page.close();
  }
}

/** Goes from the landing page to a printed table's row by clicks, as a reader would, and looks whether it is in sight. */
async function walk(context, site, device, findings) {
  const page = await context.newPage();
  try {
    await page.goto(pathToFileURL(path.join(site, WAY.from)).href, { waitUntil: 'load', timeout: 60000 });
    for (const name of WAY.links) {
      await page.locator('main article').getByRole('link', { name }).first().click({ timeout: 20000 });
      await page.waitForLoadState('load');
    }
    await page.locator(WAY.fold).first().click({ timeout: 20000 });
    await settle(page);
    const fault = await page.evaluate(({ row, column }) => {
      const head = document.getElementById(row);
      const table = head?.closest('table');
      if (!table) return 'no such row';
      const heads = [...table.tHead.rows[0].cells];
      const place = heads.findIndex((cell) => cell.textContent.trim() === column);
      if (place < 0) return `no column ${column}`;
      // ours stands last of the columns below that head
      const cell = head.parentElement.cells[heads.slice(0, place + 1).reduce((sum, one) => sum + one.colSpan, 0) - 1];
      // of the number itself, whose error may lie beyond a phone's edge
      const number = document.createRange();
      const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
      if (!text || !/^\d/.test(text.data)) return `no number below ${column}`;
      number.setStart(text, 0);
      number.setEnd(text, text.data.trimEnd().length);
      const frame = table.parentElement.getBoundingClientRect();
      const seen = [head, number].every((one) => {
        const box = one.getBoundingClientRect();
        return box.top >= Math.max(0, frame.top) && box.left >= 0 && box.bottom <= Math.min(innerHeight, frame.bottom)
          && box.right <= Math.min(innerWidth, frame.right);
      });
      return seen ? '' : 'not in sight';
    }, WAY);
    if (fault) findings.add(`the clicks do not show ${WAY.row}, ${WAY.column}: ${fault}`, WAY.from, firstView(device));
  } catch (error) {
    findings.add(`the way by clicks is cut off: ${String(error).split('\n')[0].slice(0, 160)}`, WAY.from, firstView(device));
  } finally {
    await page.close();
  }
}

async function newContext(browser, device) {
  const context = await browser.newContext({
    viewport: device.phone ? { width: PHONE_WIDTH, height: 844 } : { width: 1280, height: 900 },
    isMobile: device.phone,
    hasTouch: device.phone,
    deviceScaleFactor: device.phone ? 2 : 1,
    colorScheme: device.colours[0],
    reducedMotion: 'reduce',
  });
  await context.route(/^(https?|ftp):/, (route) => route.abort());
  return context;
}

async function main() {
  const [folder, ...named] = process.argv.slice(2);
  if (!folder) throw new CannotRun('no site was named; expected the folder of built pages; run node check.cjs _build/html');
  const site = path.resolve(folder);
  if (!fs.existsSync(site)) throw new CannotRun(`${site} is missing; expected a built book; run 'make book' or 'make preview' first`);
  const pages = named.length ? named.map((page) => path.resolve(site, page)) : looked(fs.realpathSync(site));
  if (!pages.length) throw new CannotRun(`${site} holds no pages; expected a built book; run 'make book' or 'make preview' first`);
  const executablePath = BROWSERS.find((candidate) => candidate && fs.existsSync(candidate));
  if (!executablePath) throw new CannotRun('no Chromium was found; expected one; install it or name it in CHROMIUM');

  const started = Date.now();
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--no-first-run',
      '--disable-component-update', '--disable-sync'],
  });
  const findings = new Findings();
  const size = (page) => fs.statSync(page, { throwIfNoEntry: false })?.size ?? 0;
  const largestFirst = [...pages].sort((one, other) => size(other) - size(one));
  // pages of artifacts, and of functions, have one template: the narrow view finds what is wrong with them
  const ofTemplate = (page) => ['artifacts', 'api'].includes(path.basename(path.dirname(page)));
  const work = DEVICES.flatMap((device) => largestFirst
    .filter((page) => device.phone || named.length || !ofTemplate(page))
    .map((page) => ({ device, page })));
  const worker = async () => {
    let context = null;
    let current = null;
    for (let task = work.shift(); task; task = work.shift()) {
      if (task.device !== current) {
        await context?.close();
        context = await newContext(browser, task.device);
        current = task.device;
      }
      await lookAt(context, fs.realpathSync(site), task.page, task.device, findings);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (!named.length) {
    const real = fs.realpathSync(site);
    for (const device of DEVICES) {
      const context = await newContext(browser, device);
      await walk(context, real, device, findings);
      if (device === DEVICES[0]) await askSearch(context, real, findings);
      await context.close();
    }
  }
  await browser.close();
  findings.print();
  const kinds = findings.kinds.size;
  const verdict = kinds ? `${kinds} kinds of findings in ${findings.places} places` : 'nothing found';
  console.log(`${pages.length} pages in ${VIEWS} views, ${Math.round((Date.now() - started) / 1000)} s: ${verdict}`);
  return kinds ? 1 : 0;
}

main().then(
  (status) => process.exit(status),
  (error) => {
    console.error(error instanceof CannotRun ? `error: ${error.message}` : error);
    process.exit(2);
  },
);
