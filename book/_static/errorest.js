/* What the pages do beyond showing: a table whose row two lists choose, rows that can be linked and cited.
   Every page is whole without it.  Nothing is loaded, and nothing is kept. */
(() => {
  "use strict";
  const { make, question } = errorest;

  /* --- a number and a list that choose a row --------------------------------------------------------------------- */
  function lookup(table, place) {
    const rows = [...table.tBodies[0].rows];
    const [kindHead, casesHead] = [...table.tHead.rows[0].cells].map((head) => head.textContent);
    const { start, first } = table.dataset;
    const controls = make("div", { class: "errorest-questions", role: "group", "aria-label": table.caption.textContent });
    const cases = question(controls, `lookup-cases-${place}`, casesHead, make("input",
      { type: "number", min: 1, value: start, inputmode: "numeric", autocomplete: "off" }));
    const kind = make("select", { autocomplete: "off" });
    for (const text of new Set(rows.map((row) => row.cells[0].textContent))) kind.append(make("option", {}, text));
    kind.value = [...kind.options].find((option) => option.value.toLowerCase() === first.toLowerCase())?.value ?? kind.value;
    question(controls, `lookup-kind-${place}`, kindHead, kind);
    const show = () => {
      const n = Math.max(Math.round(Number(cases.value) || start), 1);
      rows.forEach((row) => {
        row.hidden = row.cells[0].textContent !== kind.value || n < row.dataset.low || n > row.dataset.high;
      });
    };
    for (const input of [cases, kind]) input.addEventListener("input", show);
    table.parentElement.before(controls);
    if (!("many" in table.dataset)) table.classList.add("errorest-chosen"); // one row alone is a card
    show();
  }

  /* --- tables: folded ones open for a link to one of their rows; a row's link and how to cite it -------- */
  function open() {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    let opened = false;
    for (let up = target.parentElement; up; up = up.parentElement) {
      if (up.tagName === "DETAILS" && !up.open) opened = up.open = true;
      if (up.hidden && up.parentElement.matches(".errorest-readings")) choose(up.parentElement, up);
    }
    if (opened || target.matches("th")) target.scrollIntoView({ block: "center" });
  }

  /* --- the tables of an artifact: one at a time, by reading and repeats; z on demand ----------------------------- */
  function choose(group, part) {
    for (const one of group.children) {
      one.hidden = one !== part;
      if (one.tagName === "DETAILS") one.open = true;
    }
    for (const button of group.previousElementSibling.querySelectorAll("[data-of]")) {
      button.setAttribute("aria-pressed", String(part.dataset[button.dataset.of] === button.textContent));
    }
  }

  /* The table of another reading at the same repeats, or of other repeats in the same reading, if there is one. */
  function chosen(group, of, text) {
    const parts = [...group.children].filter((part) => part.dataset[of] === text);
    const shown = [...group.children].find((part) => !part.hidden);
    const other = of === "name" ? "repeats" : "name";
    return parts.find((part) => part.dataset[other] === shown.dataset[other]) ?? parts[0];
  }

  function tools(artifact) {
    const group = artifact.querySelector(".errorest-readings");
    const table = group ?? artifact.querySelector(".errorest-scroll:has(.errorest-z)");
    if (!table) return;
    const bar = make("div", { class: "errorest-tools" });
    const add = (parent, text, attributes, act) => {
      const button = make("button", { type: "button", class: "errorest-button", "aria-pressed": "false", ...attributes }, text);
      button.addEventListener("click", () => act(button));
      parent.append(button);
    };
    for (const [of, label] of [["name", "Reading"], ["repeats", "Repeats"]]) {
      const texts = new Set([...group?.children ?? []].map((part) => part.dataset[of]).filter(Boolean));
      if (texts.size < 2) continue;
      const line = bar.appendChild(make("div", { role: "group", "aria-label": label }));
      for (const text of texts) add(line, text, { "data-of": of }, () => choose(group, chosen(group, of, text)));
    }
    if (artifact.querySelector(".errorest-z")) {
      add(bar, "Show z", {}, (button) =>
        button.setAttribute("aria-pressed", String(artifact.classList.toggle("errorest-shows-z"))));
    }
    table.before(bar);
    if (group) choose(group, group.children[0]);
  }

  /* --- the pictures of a figure: a list chooses the one that is shown ------------------------------------------- */
  function pictures(group, place) {
    const parts = [...group.children];
    const list = make("select", { autocomplete: "off" });
    for (const part of parts) list.append(make("option", {}, part.dataset.name));
    const show = () => parts.forEach((part) => { part.hidden = part.dataset.name !== list.value; });
    list.addEventListener("input", show);
    const controls = make("div", { class: "errorest-questions" });
    question(controls, `picture-${place}`, "Picture", list);
    group.before(controls);
    show();
  }

  function showPictureOf(mark) {
    const part = mark.closest(".errorest-pictures > [data-name]");
    const list = part?.parentElement.previousElementSibling.querySelector("select");
    if (!list) return;
    list.value = part.dataset.name;
    list.dispatchEvent(new Event("input"));
  }

  let told = null;
  function tellOf(text) {
    told ??= document.body.appendChild(make("p", { class: "errorest-told", role: "status" }));
    told.textContent = text;
    clearTimeout(told.timer);
    told.timer = setTimeout(() => (told.textContent = ""), 6000);
  }

  function rowLinks(section) {
    section.querySelectorAll('th[scope="row"][id]').forEach((head) => {
      const name = head.textContent.trim();
      const link = make("a", { href: `#${head.id}`, class: "errorest-rowlink", "aria-label": `Link to ${name}` }, "#");
      link.addEventListener("click", () => {
        const address = location.href.replace(/#.*/, "") + `#${head.id}`;
        const cite = `${section.dataset.cite} ${head.dataset.cite}. ${address}`;
        if (!navigator.clipboard) return tellOf(`To cite: ${cite}`);
        navigator.clipboard.writeText(cite).then(
          () => tellOf(`Copied, link and all: ${cite}`),
          () => tellOf(`To cite: ${cite}`),
        );
      });
      head.append(" ", link);
      const marks = [...section.querySelectorAll(".errorest-mark")].filter((mark) => mark.hash === link.hash);
      if (!marks.length) return;
      const shows = make("button", { type: "button", class: "errorest-rowlink errorest-to-mark", "aria-label": `Show ${name} in the figure` }, "◦");
      shows.addEventListener("click", () => {
        section.querySelectorAll(".errorest-marked").forEach((mark) => mark.classList.remove("errorest-marked"));
        marks.forEach((mark) => mark.classList.add("errorest-marked"));
        showPictureOf(marks[0]);
        marks[0].scrollIntoView({ block: "center" });
      });
      head.append(shows);
    });
  }

  /* --- a BibTeX entry without an address of the work has that of the page ---------------------------------------- */
  function addressed(section) {
    const entry = section.querySelector(".errorest-citation pre");
    if (!entry || !location.protocol.startsWith("http") || /^  url = /m.test(entry.textContent)) return;
    entry.textContent = entry.textContent.replace(/\n\}\s*$/, `,\n  url = {${location.href.replace(/#.*/, "")}}\n}`);
  }

  /* --- words of the tables that the glossary explains: the first of each in a table ----------------------------- */
  const TERMS = /^(?:Reading: )?(literal|unstated|fitted|no power|not decided)/;
  function terms(part) {
    const base = document.documentElement.dataset.content_root;
    if (base === undefined) return;
    const seen = new Set();
    part.querySelectorAll(".errorest-reading, thead th, .verdict, .errorest-meanings dt").forEach((one) => {
      const text = [...one.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && TERMS.test(node.data));
      const term = text && TERMS.exec(text.data)[1];
      if (!term || seen.has(term)) return;
      seen.add(term);
      const word = text.splitText(text.data.indexOf(term));
      word.splitText(term.length);
      const link = make("a", { href: `${base}book/glossary.html#term-${term.replace(" ", "-")}`, class: "errorest-term" });
      word.replaceWith(link);
      link.append(word);
    });
  }

  /* --- definitions from the glossary, for mouse and keyboard -------------------------------------------------- */
  function definitions() {
    const links = document.querySelectorAll('a.reference[title][href*="glossary.html#term"]');
    if (!links.length) return;
    const tip = document.body.appendChild(make("div", { class: "errorest-tip", role: "tooltip", id: "errorest-tip" }));
    tip.hidden = true;
    const hide = () => { tip.hidden = true; };
    links.forEach((link) => {
      const text = link.title;
      link.removeAttribute("title");
      const show = () => {
        tip.textContent = text;
        tip.hidden = false;
        link.setAttribute("aria-describedby", tip.id);
        const box = link.getBoundingClientRect();
        tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8)) + scrollX}px`;
        const below = box.bottom + tip.offsetHeight + 12 < innerHeight;
        tip.style.top = `${(below ? box.bottom + 6 : box.top - tip.offsetHeight - 6) + scrollY}px`;
      };
      for (const event of ["mouseenter", "focus"]) link.addEventListener(event, show);
      for (const event of ["mouseleave", "blur"]) link.addEventListener(event, hide);
    });
    document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  }

  document.documentElement.classList.add("errorest-js");
  addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll(".errorest-lookup").forEach(lookup);
    document.querySelectorAll(".errorest-pictures").forEach(pictures);
    document.querySelectorAll(".errorest-artifact").forEach((one) => { tools(one); rowLinks(one); terms(one); addressed(one); });
    definitions();
    open();
  });
  addEventListener("hashchange", open);
  addEventListener("beforeprint", () => document.querySelectorAll("main details:not(.errorest-code)").forEach((one) => { one.open = true; }));
})();
