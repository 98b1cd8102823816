'use strict';
// Asks the built book's search what readers ask, without a browser: the right page comes first or second.
//
//   node search.cjs SITE
//
// Exit status 0: all found; 1: searches that miss, listed; 2: the check itself could not run.
const fs = require('fs');
const path = require('path');
const vm = require('vm');

const FIRST = 2; // places that a reader looks at
const SEARCHES = [ // a question, and the pages that answer it
  ['which estimator should I use', ['notebooks/guide/02-which-estimator', 'book/index']],
  ['60 cases', ['notebooks/guide/02-which-estimator']],
  ['Shakhnarovich Table 9', ['artifacts/shakhnarovich-table-9']],
  ['Martin Hirschberg table 4', ['artifacts/martin-hirschberg-table-4']],
  ['.632+', ['book/glossary', 'notebooks/shakhnarovich/02-correct-632plus']],
  ['632', ['book/glossary']],
  ['GridSearchCV', ['book/reference/api/errorest.estimate', 'book/reference/api/errorest.choose', 'book/guide/five-minutes']],
  ['cite', ['book/cite']],
  ['confidence interval AUC', ['notebooks/guide/04-scores']],
  ['small sample', ['book/index', 'notebooks/guide/02-which-estimator']],
  ['class reversal', ['notebooks/martin-hirschberg/06-reversal']],
  ['Kohavi figure 2', ['artifacts/kohavi-figure-2']],
  ['nested cross-validation', ['book/defaults']],
  ['compare two classifiers', ['notebooks/guide/05-choosing']],
  ['how many more cases do I need', ['notebooks/guide/06-growing']],
  ['tuning on the test set', ['book/papers/scheffer-herbrich', 'notebooks/scheffer-herbrich/01-calculations']],
  ['predictions from R', ['book/predictions']],
  ['run it again', ['book/rerun']],
  ['errors in print', ['book/errata']],
  ['install', ['book/index']],
  ['leave-one-out', ['book/glossary']],
  ['errorest.estimate', ['book/reference/api/errorest.estimate']],
];

/** Runs what the search page loads, in its order, and returns a function that answers a question with pages. */
function searchOf(site) {
  const page = vm.createContext({ Search: { setIndex(index) { this._index = index; } } });
  for (const file of ['_static/language_data.js', 'searchindex.js']) {
    vm.runInContext(fs.readFileSync(path.join(site, file), 'utf8'), page, { filename: file });
  }
  return (question) => {
    page.question = question;
    // Sphinx takes the best from the end
    return vm.runInContext('Search._performSearch(question)', page).reverse().map(([name]) => name);
  };
}

function main() {
  const [site] = process.argv.slice(2);
  if (!site || !fs.existsSync(path.join(site, 'searchindex.js'))) {
    console.error("error: no built pages; expected a folder with searchindex.js; run 'make preview' first");
    return 2;
  }
  const search = searchOf(site);
  const missed = SEARCHES.filter(([question, right]) => {
    const found = search(question).slice(0, FIRST);
    if (right.some((page) => found.includes(page))) return false;
    console.log(`MISSED "${question}": found ${found.join(', ') || 'nothing'}; expected ${right.join(' or ')}`);
    return true;
  });
  console.log(`${SEARCHES.length} searches: ${missed.length ? `${missed.length} miss` : 'all find their page'}`);
  return missed.length ? 1 : 0;
}

process.exit(main());
