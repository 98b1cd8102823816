/* How pages are seen: tables with lists that choose rows, and figures in the colours that a reader has chosen.
   Every page is whole without it. */
(() => {
  "use strict";
  const { make, question, quoted } = errorest;

  /* a list for each column that the table names, and words that a row must have */
  function filter(table) {
    const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim());
    const rows = [...table.tBodies[0].rows];
    const text = (row, column) => row.cells[column].textContent.trim();
    const controls = make("div", { class: "errorest-questions", role: "group", "aria-label": `Choose rows: ${table.caption.textContent}` });
    const lists = table.dataset.filters.split(",").map((name) => {
      const column = heads.indexOf(name);
      const list = make("select", { autocomplete: "off" });
      if (!table.dataset.first) list.append(make("option", { value: "" }, "all"));
      for (const value of new Set(rows.map((row) => text(row, column)))) list.append(make("option", { value }, value));
      if (table.dataset.first) list.value = table.dataset.first;
      return [column, question(controls, `filter-${name.toLowerCase()}`, name, list)];
    });
    const words = question(controls, "filter-words", "Words", make("input", { type: "search", autocomplete: "off" }));
    const count = make("p", { role: "status", class: "errorest-filtered" });
    const show = () => {
      const asked = words.value.toLowerCase().split(/\s+/);
      for (const row of rows) {
        const content = row.textContent.toLowerCase();
        row.hidden = lists.some(([column, list]) => list.value && text(row, column) !== list.value)
          || asked.some((word) => !content.includes(word));
      }
      count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
    };
    controls.addEventListener("input", show);
    const frame = table.closest(".errorest-scroll") ?? table;
    frame.before(controls, count);
    if (table.dataset.command) command(table, rows, text, lists[0], controls, frame);
    show();
  }

  /* a value for each parameter of the chosen notebook, and the command that runs it with them */
  function command(table, rows, text, [column, list], controls, frame) {
    const code = make("code");
    const shown = make("pre", { "aria-label": "Command", tabindex: "0" });
    shown.append(code);
    const write = () => {
      const changed = rows.filter((row) => text(row, column) === list.value)
        .map((row) => [row.cells[0].textContent.trim(), row.querySelector("input").value.trim()])
        .filter(([, value]) => value).map(([name, value]) => ` -p ${quoted(`${name}=${value}`)}`);
      code.textContent = `${table.dataset.command} ${list.value}${changed.join("")}`;
    };
    for (const row of rows) {
      const input = make("input", { "aria-label": `Value of ${row.cells[0].textContent.trim()}`, autocomplete: "off" });
      input.placeholder = row.cells[row.cells.length - 1].textContent.trim();
      row.cells[row.cells.length - 1].append(" ", input);
    }
    table.addEventListener("input", write);
    controls.addEventListener("input", write);
    frame.after(shown);
    write();
  }

  /* a figure follows the browser's colours by itself; a page whose colours were chosen by hand says which it shows */
  function colours() {
    const { theme } = document.documentElement.dataset;
    if (theme !== "dark" && theme !== "light") return;
    document.querySelectorAll("source[data-dark]").forEach((source) => {
      const media = theme === "dark" ? source.dataset.dark : "not all";
      if (source.media !== media) source.media = media;
    });
  }

  addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("table[data-filters]").forEach(filter);
    colours();
    new MutationObserver(colours).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  });
  addEventListener("beforeprint", () => document.querySelectorAll("table[data-filters] tr").forEach((row) => { row.hidden = false; }));
})();
