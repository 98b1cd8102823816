'use strict';
// Opens every built page as its readers do (desktop and phone, light and dark, from a folder, without a network) and
// says what is wrong: accessibility, script errors, requests to other hosts, missing files, broken links and anchors,
// images without a text that says something, anything wider than a phone, figures that scroll sideways there, pages that
// load too much.
//
//   node check.cjs SITE [PAGE ...]     all pages of SITE, or only those named
//
// Exit status 0: nothing found; 1: findings, listed; 2: the check itself could not run.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { pathToFileURL, fileURLToPath } = require('url');
const { chromium } = require('playwright-core');

const AXE = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const PHONE_WIDTH = 390;
const SHORTEST_ALT = 15; // characters; a figure's number alone is shorter, a sentence is longer
const HEAVIEST = 600 * 1024; // bytes of a page with its style sheets and scripts, without figures and what draws formulas
const HEAVIEST_INDEX = 600 * 1024; // of what the search looks in, which its page alone loads
const LANDING = { page: 'book/index.html', heaviest: 1e6 }; // with its figures
const DEVICES = [ // one page is loaded in light and turns dark, the other the other way round
  { name: 'desktop', phone: false, colours: ['light', 'dark'] },
  { name: 'phone', phone: true, colours: ['dark', 'light'] },
];
const VIEWS = DEVICES.length * 2;
// Rules whose answer depends on the colours, size and weight of a text alone: each such look is asked once a view, since
// a page has thousands of texts of few looks, and asking takes axe longer than all its other rules
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

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
  const ofSearch = (file) => path.basename(file) === 'searchindex.js';
  const ofFormulas = (file) => file.includes(`${path.sep}mathjax${path.sep}`);
  const figure = (file) => /\.(svg|png|jpe?g|gif|webp)$/.test(file);
  const drawn = fs.readFileSync(files[0], 'utf8').match(/<svg\b.*?<\/svg>/gs)?.join('').length ?? 0;
  const weight = bytes(files.filter((file) => !figure(file) && !ofFormulas(file) && !ofSearch(file))) - drawn;
  if (weight > HEAVIEST) add('page of too many bytes', `${Math.round(weight / 1000)} kB without figures`);
  const index = bytes(files.filter(ofSearch));
  if (index > HEAVIEST_INDEX) add('search index of too many bytes', `${Math.round(index / 1000)} kB`);
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

/** Runs in the page: the looks of its texts, each once: colour, ground, opacity, size and weight; of a link its line too. */
function readLooks() {
  const grounds = new Map();
  const groundOf = (element) => {
    if (!element) return '';
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const own = `${backgroundColor} ${backgroundImage} ${opacity}`;
      const covers = /^rgb\(/.test(backgroundColor) && opacity === '1';
      const seen = own !== 'rgba(0, 0, 0, 0) none 1';
      grounds.set(element, covers ? own : `${seen ? `${own} over ` : ''}${groundOf(element.parentElement)}`);
    }
    return grounds.get(element);
  };
  const looks = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const looked = new Set();
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (looked.has(element) || !texts.currentNode.data.trim()) continue;
    looked.add(element);
    const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(element);
    const line = element.closest('a') ? `link ${textDecorationLine} in ${getComputedStyle(element.closest('a').parentElement).color}` : '';
    looks.add([color, groundOf(element), fontSize, fontWeight, line].join(' | '));
  }
  return [...looks];
}

/** Adds what axe finds serious or critical: by all rules, or those of colours alone, and these where a look is new. */
async function askAxe(page, view, add, ofColoursAlone) {
  const looks = (await page.evaluate(readLooks)).map((look) => `${view}: ${look}`);
  const ofNew = looks.some((look) => !askAxe.asked.has(look));
  looks.forEach((look) => askAxe.asked.add(look));
  if (ofColoursAlone && !ofNew) return;
  const rules = ofColoursAlone ? { runOnly: { type: 'rule', values: OF_COLOURS } }
    : { rules: Object.fromEntries(OF_COLOURS.map((rule) => [rule, { enabled: ofNew }])) };
  if (!await page.evaluate(() => Boolean(window.axe))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (only) => {
    const result = await window.axe.run(document, { resultTypes: ['violations'], preload: false, ...only });
    return result.violations.map(({ id, impact, help, nodes }) =>
      ({ id, impact, help, count: nodes.length, first: nodes[0].target.flat(2).join(' ') }));
  }, rules);
  for (const { id, impact, help, count, first } of violations) {
    if (impact === 'serious' || impact === 'critical') add(`axe ${impact} ${id}: ${help}`, `${count} times, first at ${first}`);
  }
}
askAxe.asked = new Set();

/** A tab of a browser, in which one page after another is looked at: what happens in it is reported to the page's watch. */
async function openTab(browser, site, device) {
  const context = await newContext(browser, device);
  const tab = { page: await context.newPage(), context, device, add: () => {}, loaded: new Set() };
  tab.page.on('pageerror', (error) => tab.add(`script error: ${String(error).split('\n')[0].slice(0, 160)}`));
  tab.page.on('websocket', (socket) => tab.add(`request to another host: ${socket.url().slice(0, 120)}`));
  tab.page.on('console', (message) => {
    // a file that failed to load is named by the request itself, below
    const text = message.text().split('\n')[0].slice(0, 160);
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) tab.add(`console error: ${text}`);
  });
  tab.page.on('request', (request) => {
    const address = request.url();
    if (/^(https?|ftp):/.test(address)) tab.add(`request to another host: ${address.slice(0, 120)}`);
    if (address.startsWith('file:')) tab.loaded.add(fileURLToPath(address.split(/[?#]/)[0]));
  });
  tab.page.on('requestfailed', (request) => {
    const address = request.url();
    // what a page was still loading as it was left is not missing
    if (address.startsWith('file:') && request.failure()?.errorText !== 'net::ERR_ABORTED') tab.add(`missing file: ${path.relative(site, fileURLToPath(address.split(/[?#]/)[0]))}`);
  });
  return tab;
}

/** Opens a page on a device, in one colour scheme, and looks again as the reader asks for the other one. */
async function lookAt(tab, site, file, findings, alike) {
  const { page, device } = tab;
  const shown = path.relative(site, file);
  let view = firstView(device);
  const add = (what, example) => findings.add(what, shown, view, example);
  Object.assign(tab, { add, loaded: new Set([file]) });
  try {
    await page.emulateMedia({ colorScheme: device.colours[0] });
    // one that leads on to another page is looked at where it leads
    const leadsOn = fs.readFileSync(file, 'utf8').includes('http-equiv="refresh"');
    await page.goto(pathToFileURL(file).href, { waitUntil: leadsOn ? 'networkidle' : 'load', timeout: 60000 });
    await settle(page);
    judgeWeight(shown, tab.loaded, device, await page.evaluate(() => Boolean(document.querySelector('mjx-container, .math'))), add);
    if (device.phone) {
      judgeContent(site, await page.evaluate(readPage), add);
      await judgeWidths(page, add);
    }
    await askAxe(page, view, add, alike);
    view = `${device.name} ${device.colours[1]}`;
    const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: device.colours[1] });
    await settle(page);
    if (await page.evaluate(() => getComputedStyle(document.body).backgroundColor) === colour) {
      add('page that keeps its colours when its reader asks for others', colour);
    }
    if (device.phone) await judgeWidths(page, add);
    await askAxe(page, view, add, true);
  } catch (error) {
    add(`page could not be looked at: ${String(error).split('\n')[0].slice(0, 160)}`);
  }
}

async function judgeWidths(page, add) {
  const { excess, wide, figures } = await page.evaluate(readWidths, PHONE_WIDTH);
  if (figures.length) add('figure that scrolls sideways on a phone', figures.join('; '));
  if (excess > 1) add('page wider than a phone', `by ${excess} px; ${wide.join('; ')}`);
  else if (wide.length) add('cut off at the edge of a phone', wide.join('; '));
}

async function newContext(browser, device) {
  const context = await browser.newContext({
    viewport: device.phone ? { width: PHONE_WIDTH, height: 844 } : { width: 1280, height: 900 },
    isMobile: device.phone,
    hasTouch: device.phone,
    colorScheme: device.colours[0],
    reducedMotion: 'reduce',
  });
  await context.route(/^(https?|ftp):/, (route) => route.abort());
  return context;
}

async function main() {
  const [folder, ...named] = process.argv.slice(2);
  if (!folder) throw new CannotRun('no site was named; expected the folder of built pages; run node check.cjs _build/html');
  if (!fs.existsSync(folder)) throw new CannotRun(`${folder} is missing; expected a built book; run 'make book' or 'make preview' first`);
  const site = fs.realpathSync(folder);
  const pages = named.length ? named.map((page) => path.resolve(site, page)) : pagesOf(site);
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
  // pages of artifacts, functions and sources have one template each: the narrow view finds what is wrong with them, and
  // of functions and sources, which differ in words alone, axe's rules on structure are asked of every tenth
  const below = (page, ...folders) => folders.some((folder) => path.relative(site, page).startsWith(path.join(folder, path.sep)));
  const ofWords = largestFirst.filter((page) => below(page, 'source', 'book/reference/api'));
  const alike = new Set(named.length ? [] : ofWords.filter((_, place) => place % 10));
  const work = DEVICES.flatMap((device) => largestFirst
    .filter((page) => device.phone || named.length || !below(page, 'artifacts', 'source', 'book/reference/api'))
    .map((page) => ({ device, page, alike: alike.has(page) })));
  const worker = async () => {
    let tab = null;
    for (let task = work.shift(); task; task = work.shift()) {
      if (task.device !== tab?.device) {
        await tab?.context.close();
        tab = await openTab(browser, site, task.device);
      }
      await lookAt(tab, site, task.page, findings, task.alike);
    }
    await tab?.context.close();
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
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
