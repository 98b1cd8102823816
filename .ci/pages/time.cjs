'use strict';
// Says what the page "Your data, here" takes from the button to its first answers, in Chromium: seconds of each stage
// with a cache of files that is empty and one that is filled, and what is held in memory after it.
//
//   node time.cjs SITE [TIMES]     a self-contained site; each time in a fresh browser
const path = require('path');
const { end, answered, drop, launch, serve, LONG } = require('./browser.cjs');

const PAGE = 'book/your-data.html';
const CASES = 2000;

/** A file of 2,000 cases in two classes with ten numbers each. */
function large() {
  const lines = [`${[...'abcdefghij'].join(',')},class`];
  let state = 1;
  const draw = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (let i = 0; i < CASES; i += 1) {
    const positive = draw() < 0.5;
    lines.push([...Array.from({ length: 10 }, () => (draw() + draw() + (positive ? 0.3 : 0)).toFixed(4)), positive ? 'yes' : 'no'].join(','));
  }
  return lines.join('\n');
}

/** Seconds by stage, and megabytes by when. */
async function measure(base) {
  const browser = await launch();
  const page = await browser.newPage();
  const seconds = {};
  const memory = {};
  const timed = async (stage, act) => {
    const began = Date.now();
    await act();
    seconds[stage] = (Date.now() - began) / 1000;
  };
  const heap = async (when) => {
    const [worker] = page.workers();
    const [wasm, js] = await worker.evaluate(() => [self.errorestHeap(), performance.memory?.usedJSHeapSize ?? 0]);
    memory[when] = [wasm / 1e6, js / 1e6];
  };
  const run = async () => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.in-page-report').waitFor({ state: 'detached' });
    await answered(page, '.in-page-report');
  };
  await page.goto(`${base}/${PAGE}`, { waitUntil: 'networkidle' });
  const began = Date.now();
  await page.locator('.in-page-go').click();
  await page.locator('.in-page input[type=file]').waitFor({ timeout: LONG });
  seconds['button to form'] = (Date.now() - began) / 1000;
  const marks = await page.workers()[0].evaluate(() => performance.getEntriesByType('mark').map(({ name, startTime }) => [name, startTime]));
  let before = 0;
  for (const [name, at] of marks) {
    seconds[`  ${name}`] = (at - before) / 1000;
    before = at;
  }
  await heap('form');
  await timed('wine read', async () => {
    await page.getByRole('button', { name: 'Take the wine example' }).click();
    await page.locator('.in-page-table').waitFor({ timeout: LONG });
  });
  await timed('first answer', () => page.getByRole('button', { name: 'Run', exact: true }).click().then(() => answered(page, '.in-page-report')));
  seconds['button to first answer'] = (Date.now() - began) / 1000;
  await heap('first answer');
  for (const learner of ['naive-bayes', 'knn', 'linear-discriminant', 'c4.5', 'sklearn-logistic']) {
    await timed(`${learner}, wine`, async () => {
      await page.getByLabel('Classifier', { exact: true }).selectOption(learner);
      await run();
    });
  }
  await heap('five learners');
  await timed(`${CASES} cases read`, async () => {
    await drop(page, 'large.csv', Buffer.from(large()));
    await page.locator('.in-page-file', { hasText: 'large' }).waitFor({ timeout: LONG });
  });
  for (const learner of ['naive-bayes', 'sklearn-logistic']) {
    await page.getByLabel('Classifier', { exact: true }).selectOption(learner);
    await timed(`${learner}, ${CASES} cases`, run);
    await heap(`${learner}, ${CASES} cases`);
  }
  await browser.close();
  return { seconds, memory };
}

async function main(site, times) {
  const { server, base } = await serve(site);
  for (let i = 0; i < times; i += 1) {
    const { seconds, memory } = await measure(base);
    console.log(`== ${i + 1} of ${times}`);
    for (const [stage, took] of Object.entries(seconds)) console.log(`${stage.padEnd(34)}${took.toFixed(2).padStart(8)} s`);
    for (const [when, [wasm, js]] of Object.entries(memory)) console.log(`${when.padEnd(34)}${wasm.toFixed(0).padStart(5)} MB of WebAssembly, ${js.toFixed(0)} MB of JavaScript`);
  }
  server.close();
  return 0;
}

end(main(path.resolve(process.argv[2]), Number(process.argv[3] ?? 1)));
