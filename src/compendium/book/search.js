/* How the search orders pages.  Sphinx asks that a page has every word and then counts one word only; here words that
   few pages have weigh more, a title more than a heading, and a heading more than the text below it.  The index, the
   stemmer and the list of results are Sphinx's.  This text becomes a part of its language_data.js. */

// What a word counts in a page's title, in a heading, and in the text
const IN_TITLE = 6, IN_HEADING = 3, IN_TEXT = 1;
// What a title, a heading or a name counts that has every word of the question, the more the less else it says
const WHOLE_TITLE = 14, WHOLE_HEADING = 10, WHOLE_NAME = 20;
// Pages that a list has at most: Sphinx fetches each of them for its words
const MOST = 30;
// Letters from which on the beginning of a word finds it
const BEGINNING = 3;

/** The stems of a text's words, each once; of a question without its stop words, if others are left. */
function stemsOf(text, without = []) {
  const stemmer = new Stemmer();
  const words = splitQuery(text.toLowerCase());
  const telling = words.filter((word) => !without.includes(word));
  return [...new Set((telling.length ? telling : words).map((word) => stemmer.stemWord(word)))];
}

/** The pages that have a word: a set of numbers, from one of the index's tables. */
function pagesWith(table, word) {
  const own = (key) => (Object.hasOwn(table, key) ? [table[key]].flat() : []);
  const exact = own(word);
  if (exact.length || word.length < BEGINNING) return new Set(exact);
  return new Set(Object.keys(table).filter((key) => key.startsWith(word)).flatMap(own));
}

/** Pages for a question, best first, as Sphinx lists them: [page, title, anchor, description, score, file]. */
function pagesFor(index, query) {
  const words = stemsOf(query, stopwords);
  const asked = words.map((word) => {
    const [text, heads] = [pagesWith(index.terms, word), pagesWith(index.titleterms, word)];
    const pages = new Set([...text, ...heads]);
    return { word, heads, pages, weight: Math.log(1 + index.docnames.length / (pages.size || 1)) };
  });
  const total = asked.reduce((sum, { weight }) => sum + weight, 0);
  const titles = index.titles.map((title) => stemsOf(title.replace(/<[^>]+>|&\w+;/g, " ")));
  const results = new Map();
  for (const { word, heads, pages, weight } of asked) {
    for (const page of pages) {
      const one = results.get(page) ?? { score: 0, found: 0, anchor: "", best: 0 };
      const counts = titles[page].includes(word) ? IN_TITLE : heads.has(page) ? IN_HEADING : IN_TEXT;
      one.score += weight * counts;
      one.found += weight;
      results.set(page, one);
    }
  }
  // a page with half of what was asked counts a quarter
  for (const one of results.values()) one.score *= (one.found / total) ** 2;

  // a text that has every word, or all of whose words were asked for, and where it leads
  const whole = (page, text, counts, anchor) => {
    const stems = stemsOf(text, stopwords);
    const shared = asked.filter(({ word }) => stems.includes(word));
    if (shared.length < words.length && (shared.length < stems.length || shared.length < 2)) return;
    const one = results.get(page) ?? { score: 0, anchor: "", best: 0 };
    const weight = shared.reduce((sum, other) => sum + other.weight, 0);
    const bonus = weight * counts * (shared.length / Math.max(stems.length, words.length));
    if (bonus <= one.best) return;
    Object.assign(one, { score: one.score - one.best + bonus, best: bonus, anchor });
    results.set(page, one);
  };
  for (const [title, places] of Object.entries(index.alltitles)) {
    for (const [page, id] of places) whole(page, title, id ? WHOLE_HEADING : WHOLE_TITLE, id ? `#${id}` : "");
  }
  for (const [entry, places] of Object.entries(index.indexentries)) {
    // "estimate() (in module errorest)"
    const name = entry.replace(/[()]|\b(?:in|module|class|method|property|attribute)\b/g, " ");
    for (const [page, id] of places) whole(page, name, WHOLE_NAME, id ? `#${id}` : "");
  }
  // the name of a function or of an artifact, letter by letter
  const named = query.trim().replace(/\(\)$/, "");
  for (const [page, one] of results) {
    if (index.docnames[page].endsWith(`/${named}`)) Object.assign(one, { score: one.score + total * WHOLE_NAME, anchor: "" });
  }
  return [...results]
    .map(([page, { score, anchor }]) =>
      [index.docnames[page], index.titles[page], anchor, null, score, index.filenames[page]])
    .sort((one, other) => other[4] - one[4] || (one[0] < other[0] ? -1 : 1))
    .slice(0, MOST);
}

// Sphinx takes the best from the end
Search._performSearch = (query) => pagesFor(Search._index, query).reverse();
