/* The search: which page answers a question, from Sphinx's own index and from what book/search.yml says beside it (words
   that mean the same, what readers ask a page for, which pages go first).  Nothing is fetched: it works from a folder. */
(() => {
  "use strict";
  // how much a word counts by where it is found
  const PLACES = { asked: 14, title: 10, section: 6, name: 5, text: 2 };
  const SHORTEST_START = 4; // letters of a word that may stand for a longer one
  const START = 0.6;
  const MOST = 20;
  const LEAST = 0.08; // of the best one's score; what lies below is noise
  const SMALL = new Set("a am an and any are as at be by can do does for from get give has have how i if in into is it its me my no not of on one or our should so than that the their them there these this to use used using was we what when which who why will with work you your".split(" "));

  /** Words of a text: small letters, no accents, ".632+" as one word that is not ".632". */
  function wordsOf(text) {
    const plain = text.replace(/<[^>]+>/g, "").replace(/&(amp|lt|gt|quot|#\d+);/g, " ").toLowerCase();
    return plain.replace(/632\s*(\+|plus)/g, "632plus").normalize("NFKD").match(/[\p{L}\p{N}]+/gu) ?? [];
  }

  /** Makes of the index what a question is held against, once. */
  function prepare(index, data, stem) {
    const stems = (text) => wordsOf(text).map(stem);
    const alike = (data.alike ?? []).map((group) => group.map(stems));
    const pages = index.docnames.map((name, at) => ({
      name,
      at,
      title: plainTitle(index.titles[at]),
      weight: weightOf(name, data.rooms ?? []),
      asked: (data.asked?.[name] ?? []).map(stems),
      heads: [],
    }));
    for (const [title, places] of Object.entries(index.alltitles))
      for (const [at, anchor] of places) {
        const whole = anchor === null || plainTitle(title) === pages[at].title;
        pages[at].heads.push({ title: plainTitle(title), words: stems(title), anchor: whole ? "" : `#${anchor}`, place: whole ? "title" : "section" });
      }
    for (const [module, names] of Object.entries(index.objects ?? {}))
      for (const [at, , , anchor, name] of names) {
        const full = module ? `${module}.${name}` : name;
        pages[at].heads.push({ title: name, words: stems(name), anchor: `#${anchor === "" ? full : anchor}`, place: "name" });
      }
    const at = new Map(pages.map((page) => [page.name, page]));
    for (const [term, name, anchor, told] of data.terms ?? [])
      at.get(name)?.heads.push({ title: term, words: stems(term), anchor: `#${anchor}`, place: "name", told });
    return { index, data, pages, alike, stem };
  }

  function plainTitle(title) {
    const named = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
    return title.replace(/<[^>]+>/g, "").replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => named[name]);
  }

  function weightOf(name, rooms) {
    const longest = rooms.filter(([start]) => name.startsWith(start)).sort((a, b) => b[0].length - a[0].length)[0];
    return longest ? longest[1] : 1;
  }

  const follows = (words, part) => words.some((_, i) => part.every((word, k) => words[i + k] === word));

  /** The ideas of a question: each a list of phrases that mean the same. */
  function ideasOf(question, { alike, stem }) {
    const raw = wordsOf(question);
    const words = raw.map(stem);
    const ideas = [];
    for (let at = 0; at < words.length; ) {
      let best = null;
      for (const group of alike)
        for (const phrase of group)
          if (phrase.length > (best?.length ?? 0) && phrase.every((word, k) => words[at + k] === word))
            best = { length: phrase.length, phrases: group };
      if (best) ideas.push({ phrases: best.phrases, small: false });
      else ideas.push({ phrases: [[words[at]]], small: SMALL.has(raw[at]) });
      at += best?.length ?? 1;
    }
    const large = ideas.filter((idea) => !idea.small);
    return large.length ? large : ideas;
  }

  /** The pages whose text has a word; of a long word also those with a longer one. */
  function holding(index, word) {
    const own = word.endsWith("plus") ? word.slice(0, -4) : word;
    const found = Object.hasOwn(index.terms, own) ? index.terms[own] : [];
    return new Set(typeof found === "number" ? [found] : found);
  }

  /** How far a phrase is in a list of words: 1 as it stands, less where its words are scattered or begin others. */
  function share(phrase, words) {
    if (follows(words, phrase)) return 1;
    if (phrase.every((word) => words.includes(word))) return 0.8;
    const begins = (word) => word.length >= SHORTEST_START && words.some((other) => other.startsWith(word));
    return phrase.every((word) => words.includes(word) || begins(word)) ? START : 0;
  }

  /** Ranks pages for a question; the best first, each with the heading that it should open at. */
  function rank(prepared, question) {
    const { index, pages, data } = prepared;
    const ideas = ideasOf(question, prepared).map((idea) => {
      const texts = idea.phrases.map((phrase) => phrase.map((word) => holding(index, word))
        .reduce((all, some) => new Set([...all].filter((at) => some.has(at)))));
      const held = new Set(texts.flatMap((some) => [...some]));
      return { ...idea, held, rare: Math.log(1 + pages.length / (1 + held.size)) + 0.3 };
    });
    const whole = wordsOf(question).map(prepared.stem);
    const total = ideas.reduce((sum, idea) => sum + idea.rare, 0);
    const results = [];
    for (const page of pages) {
      let score = 0;
      let found = 0;
      const heads = new Map();
      for (const idea of ideas) {
        let best = idea.held.has(page.at) ? PLACES.text : 0;
        for (const phrase of idea.phrases) {
          for (const asked of page.asked) best = Math.max(best, PLACES.asked * share(phrase, asked) * Math.sqrt(phrase.length / asked.length));
          for (const head of page.heads) {
            const worth = PLACES[head.place] * share(phrase, head.words) * (head.words.length > 4 * phrase.length ? 0.8 : 1);
            if (worth) heads.set(head, (heads.get(head) ?? 0) + worth * idea.rare);
            best = Math.max(best, worth);
          }
        }
        score += best * idea.rare;
        if (best) found += idea.rare;
      }
      if (!score) continue;
      if (page.asked.some((asked) => asked.join(" ") === whole.join(" "))) score *= 2;
      else if (page.heads.some((head) => follows(head.words, whole))) score *= 1.3;
      const head = [...heads].sort((a, b) => b[1] - a[1])[0]?.[0];
      const opens = head && head.place !== "title" ? head : null;
      results.push({ page: page.name, title: page.title, section: opens?.title ?? "", anchor: opens?.anchor ?? "",
        told: opens?.told ?? data.about?.[page.name] ?? "", score: score * (found / total) ** 2 * page.weight });
    }
    results.sort((a, b) => b.score - a.score || a.page.localeCompare(b.page));
    return results.filter((one) => one.score >= LEAST * results[0].score).slice(0, MOST);
  }

  /* --- on the search page ------------------------------------------------------------------------------------- */
  function show(results) {
    const suffix = DOCUMENTATION_OPTIONS.LINK_SUFFIX;
    Search.stopPulse();
    Search.title.textContent = "Results";
    Search.status.textContent = results.length
      ? `${results.length} ${results.length === 1 ? "page" : "pages"}, the likeliest first.`
      : "No page has these words. The glossary has the words that the book uses; a shorter question finds more.";
    for (const { page, title, section, anchor, told } of results) {
      const item = Search.output.appendChild(document.createElement("li"));
      const link = item.appendChild(document.createElement("a"));
      link.href = `${page}${suffix}${anchor}`;
      link.textContent = section && section !== title ? `${title}: ${section}` : title;
      if (told) Object.assign(item.appendChild(document.createElement("p")), { className: "context", textContent: told });
    }
  }

  if (typeof module !== "undefined") module.exports = { prepare, rank, wordsOf };
  else if (typeof Search !== "undefined") {
    const data = window.errorestSearch ?? {};
    let prepared = null;
    Search.query = (question) => {
      const stemmer = new Stemmer();
      prepared ??= prepare(Search._index, data, (word) => stemmer.stemWord(word));
      show(rank(prepared, question));
    };
  }
})();
