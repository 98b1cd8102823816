// The page "Your data, here": a file of the reader's, the columns as they were read, a question, and its answer.
import { Runner, copied, make } from "./page.js";

const PYTHON = "compendium.page.own_data";
const TASKS = [
  ["estimate", "Estimate", "How wrong is one classifier, and how sure is that?"],
  ["compare", "Compare", "Which of two classifiers is better?"],
  ["choose", "Choose", "Which of several classifiers is best, corrected for having been chosen?"],
  ["from-predictions", "Predictions made elsewhere", "A row is one prediction of a case that its classifier was not trained on."],
];
// "As read" stands for no statement
const KINDS = [["", "as read"], ["left out", "leave out"], ["continuous", "number"], ["integer", "whole number"], ["nominal", "category"]];
const READING = [
  ["sep", "Separator", "found by itself; such as semicolon, tab, bar"],
  ["decimal", "Decimal sign", "found by itself; . or ,"],
  ["encoding", "Encoding", "found by itself; such as latin-1"],
  ["missing", "Missing cells", "such as NA,-9; instead of the usual ones"],
];

let numbered = 0;

/** A control with its label in front. */
function labelled(label, control, hint = "") {
  control.id ||= `in-page-${(numbered += 1)}`;
  if (hint) control.placeholder = hint;
  return make("p", { class: "in-page-field" }, make("label", { for: control.id }, label), control);
}

function select(options, chosen = "") {
  const made = make("select", {});
  fill(made, options, chosen);
  return made;
}

/** Fill a list; an option is a text, a pair of value and text, or a group of them. */
function fill(list, options, chosen = list.value) {
  const option = (one) => (typeof one === "string" ? make("option", { value: one }, one) : make("option", { value: one[0] }, one[1]));
  list.replaceChildren(
    ...options.map((one) => (Array.isArray(one[1]) ? make("optgroup", { label: one[0] }, ...one[1].map(option)) : option(one))),
  );
  if ([...list.options].some(({ value }) => value === chosen)) list.value = chosen;
}

function tick(name, value, text, checked = false) {
  const id = `in-page-${(numbered += 1)}`;
  return make("span", { class: "in-page-tick" },
    make("input", { type: "checkbox", id, name, value, checked }), make("label", { for: id }, text));
}

function fieldset(title, ...children) {
  return make("fieldset", {}, make("legend", {}, title), ...children);
}

const ticked = (box) => [...box.querySelectorAll("input:checked")].map(({ value }) => value);

class OwnData {
  constructor(part, base) {
    this.base = base;
    this.part = part;
    this.runner = new Runner(base);
    this.file = null;
    this.task = "estimate";
    this.button = part.querySelector("button");
    this.button.addEventListener("click", () => this.load());
    this.button.hidden = false;
    this.button.closest("p").after(this.runner.element);
  }

  async load() {
    this.button.disabled = true;
    const choices = await this.run("choices", {}, {}, "loading Python and its packages");
    this.button.disabled = false;
    if (!choices) return;
    this.button.closest("p").remove();
    this.build(choices);
    this.part.querySelector("input").focus();
  }

  run(name, values, files, doing) {
    return this.runner.run(`${PYTHON}:${name}`, values, files, doing);
  }

  /* --- the form --- */

  build({ learners, metrics }) {
    this.columns = make("div", {});
    this.ask = make("form", { class: "in-page-ask", hidden: true, onsubmit: (event) => { event.preventDefault(); this.assess(); } });
    this.answer = make("div", { class: "in-page-answer" });
    this.part.append(this.dataFields(), this.columns, this.ask, this.runner.element, this.answer);
    this.questions(learners, metrics);
  }

  dataFields() {
    const input = make("input", { type: "file", accept: ".csv,.txt,.tsv,.gz,text/csv", onchange: () => input.files.length && this.take(input.files[0]) });
    const paste = make("textarea", { rows: 4, spellcheck: false, placeholder: "height,colour,class\n1.5,red,a" });
    const pasted = make("button", { type: "button", class: "errorest-button", onclick: () => this.take(new File([paste.value], "pasted.csv")) }, "Read it");
    const wine = make("button", { type: "button", class: "errorest-button", onclick: () => this.takeExample() }, "Take the wine example");
    const zone = fieldset("Your data",
      labelled("A CSV file with a header, chosen or dropped here", input),
      make("p", {}, wine),
      make("details", {}, make("summary", {}, "Paste it instead"), labelled("Lines of a CSV file", paste), make("p", {}, pasted)));
    zone.classList.add("in-page-drop");
    for (const event of ["dragenter", "dragover"]) zone.addEventListener(event, (e) => { e.preventDefault(); zone.classList.add("in-page-over"); });
    for (const event of ["dragleave", "drop"]) zone.addEventListener(event, () => zone.classList.remove("in-page-over"));
    zone.addEventListener("drop", (e) => {
      e.preventDefault();
      if (e.dataTransfer.files.length) this.take(e.dataTransfer.files[0]);
    });
    return zone;
  }

  questions(learners, metrics) {
    const tabs = make("div", { role: "tablist", class: "in-page-tabs", "aria-label": "What is asked" });
    for (const [task, title] of TASKS) {
      tabs.append(make("button", { type: "button", role: "tab", id: `in-page-tab-${task}`, "aria-controls": "in-page-panel", onclick: () => this.choose(task) }, title));
    }
    tabs.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (!step) return;
      const at = TASKS.findIndex(([task]) => task === this.task);
      this.choose(TASKS[(at + step + TASKS.length) % TASKS.length][0]);
      tabs.querySelector('[aria-selected="true"]').focus();
    });
    this.learners = [select(learners, "naive-bayes"), select(learners, "sklearn-logistic")];
    this.candidates = fieldset("Classifiers", ...learners.map(([group, members]) =>
      make("p", { class: "in-page-ticks" }, make("span", { class: "in-page-group" }, `${group}:`), ...members.map(([name, text]) => tick("candidate", name, text, ["naive-bayes", "knn"].includes(name))))));
    this.metrics = fieldset("Metrics", make("p", { class: "in-page-ticks" }, ...metrics.map(([name, text]) => tick("metric", name, text, name === "error"))));
    this.predicted = Object.fromEntries(["prediction", "fold", "repeat", "case"].map((key) => [key, select([])]));
    this.probabilities = fieldset("Probabilities: of the class that the metric is about, or of each class in columns named after them");
    this.settings = {
      groups: select([]),
      pos_label: select([]),
      method: make("input", { type: "text", spellcheck: false, autocomplete: "off" }),
      confidence_level: make("input", { type: "number", min: 0.5, max: 0.999, step: "any", value: 0.95 }),
      seed: make("input", { type: "number", min: 0, step: 1, value: 0 }),
    };
    this.fields = {
      estimate: () => [labelled("Classifier", this.learners[0])],
      compare: () => [labelled("Classifier a", this.learners[0]), labelled("Classifier b", this.learners[1])],
      choose: () => [this.candidates],
      "from-predictions": () => [
        labelled("Predicted class", this.predicted.prediction), this.probabilities,
        labelled("Fold of a cross-validation", this.predicted.fold), labelled("Repetition", this.predicted.repeat),
        labelled("Case, if repetitions list them in different orders", this.predicted.case),
      ],
    };
    this.asked = make("div", {});
    this.panel = make("div", { role: "tabpanel", id: "in-page-panel" }, this.asked, this.metrics,
      labelled("Cases with one value of this column stay together", this.settings.groups),
      labelled("The class that a metric of one class is about (pos_label)", this.settings.pos_label),
      make("details", {}, make("summary", {}, "More settings"),
        this.methodField = labelled("Method", this.settings.method, "auto; such as cv(k=10, stratified=True)"),
        labelled("Confidence level", this.settings.confidence_level),
        this.seedField = labelled("Seed", this.settings.seed)));
    this.ask.append(make("h2", {}, "What do you want to know?"), tabs, this.panel,
      make("p", {}, make("button", { type: "submit", class: "errorest-button in-page-go" }, "Run")));
    this.choose("estimate");
  }

  choose(task) {
    this.task = task;
    for (const [one] of TASKS) {
      const tab = this.ask.querySelector(`#in-page-tab-${one}`);
      tab.setAttribute("aria-selected", String(one === task));
      tab.tabIndex = one === task ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", `in-page-tab-${task}`);
    this.asked.replaceChildren(make("p", {}, TASKS.find(([one]) => one === task)[2]), ...this.fields[task]());
    this.methodField.hidden = this.seedField.hidden = task === "from-predictions";
    // a difference and a choice are of one metric
    const one = task === "compare" || task === "choose";
    for (const input of this.metrics.querySelectorAll("input")) input.type = one ? "radio" : "checkbox";
    if (one && !ticked(this.metrics).length) this.metrics.querySelector("input").checked = true;
  }

  /* --- the file --- */

  async takeExample() {
    const answer = await fetch(new URL("wine.csv", this.base));
    await this.take(new File([await answer.blob()], "wine.csv"));
  }

  async take(file) {
    if (this.runner.running) return void this.runner.complain("a run is under way; stop it before you give another file");
    const name = file.name.replaceAll(/[/\0]/g, "_");
    this.file = { name: /^\.*$/.test(name) ? "data.csv" : name, bytes: new Uint8Array(await file.arrayBuffer()) };
    this.reading = {};
    await this.read("");
  }

  get files() {
    return { [this.file.name]: this.file.bytes };
  }

  async read(target) {
    this.answer.replaceChildren();
    const shown = await this.run("read", { name: this.file.name, reading: this.reading, target }, this.files, `reading ${this.file.name}`);
    this.ask.hidden = !shown;
    if (!shown) return void this.columns.replaceChildren();
    this.shown = shown;
    this.showColumns(shown);
    const optional = [["", "none"], ...shown.header];
    for (const list of [this.settings.groups, ...Object.values(this.predicted)]) fill(list, optional);
    fill(this.settings.pos_label, [["", "the last of two"], ...(shown.classes ?? []).map(([label]) => label)]);
    this.probabilities.replaceChildren(this.probabilities.firstChild,
      make("p", { class: "in-page-ticks" }, ...shown.header.map((column) => tick("probability", column, column))));
  }

  showColumns(shown) {
    const target = select(shown.header, shown.target);
    target.addEventListener("change", () => this.read(target.value));
    const described = new Map(shown.columns.map((column) => [column.name, column]));
    const rows = shown.header.map((name) => this.columnRow(name, described.get(name), name === shown.target));
    const head = ["column", "used as", "missing", "different", "example", "note"].map((text) => make("th", { scope: "col" }, text));
    const table = make("div", { class: "in-page-table", tabindex: 0, role: "region", "aria-label": "Columns as read" },
      make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)));
    const fields = READING.map(([key, label, hint]) => {
      const input = make("input", { type: "text", value: this.reading[key] ?? "", spellcheck: false, autocomplete: "off" });
      input.addEventListener("change", () => { this.reading[key] = input.value; this.read(target.value); });
      return labelled(label, input, hint);
    });
    this.columns.replaceChildren(
      make("h2", {}, "Columns as read"),
      make("p", { class: "in-page-file" }, `${this.file.name}: ${shown.taken ? shown.taken.join("; ") : `${shown.header.length} columns`}`),
      labelled("Class", target),
      ...(shown.classes ? [make("p", { class: "in-page-classes" }, shown.classes.map(([label, cases]) => `${label}: ${cases}`).join(", "))] : []),
      ...(shown.problem ? [make("p", { class: "in-page-problem", role: "alert" }, shown.problem)] : []),
      table,
      make("details", {}, make("summary", {}, "How the file is read"), ...fields));
  }

  columnRow(name, column, isClass) {
    const [asRead, ...others] = KINDS;
    const use = select([[asRead[0], column && !this.reading.kinds?.[name] ? `${column.kind} (as read)` : asRead[1]], ...others], this.reading.kinds?.[name] ?? "");
    use.setAttribute("aria-label", `use ${name} as`);
    use.addEventListener("change", () => {
      const { [name]: _, ...kinds } = this.reading.kinds ?? {};
      this.reading.kinds = use.value ? { ...kinds, [name]: use.value } : kinds;
      this.read(this.shown.target);
    });
    const { missing = "", distinct = "", example = "", note = "" } = column ?? {};
    return make("tr", { class: column?.kind === "left out" ? "in-page-left" : null },
      make("th", { scope: "row" }, name), make("td", {}, isClass ? "class" : use),
      ...[missing, distinct, example, note].map((cell) => make("td", {}, String(cell))));
  }

  /* --- the answer --- */

  async assess() {
    const gaps = this.shown.columns.some(({ kind, missing }) => kind !== "left out" && kind !== "class" && (missing || kind === "nominal"));
    const values = {
      task: this.task, name: this.file.name, target: this.shown.target, reading: this.reading, encode: gaps,
      scoring: ticked(this.metrics),
      ...Object.fromEntries(Object.entries(this.settings).map(([key, { value }]) => [key, value])),
    };
    if (values.confidence_level === "0.95") delete values.confidence_level;
    if (values.seed === "0") delete values.seed;
    if (this.task === "choose") values.learners = ticked(this.candidates);
    else if (this.task !== "from-predictions") values.learners = this.learners.slice(0, this.task === "compare" ? 2 : 1).map(({ value }) => value);
    else {
      for (const [key, { value }] of Object.entries(this.predicted)) values[key] = value;
      values.probability = ticked(this.probabilities);
    }
    this.answer.replaceChildren();
    const answer = await this.run("assess", values, this.files, "running");
    if (answer) this.show(answer);
  }

  show({ command, python, summary, reports }) {
    const again = [copied("In Python", python), copied("On the command line", command)];
    const shown = reports.map(({ title, html, methods, document }, at) => {
      // the library has escaped every text of the file
      const report = make("div", { class: "in-page-report" });
      report.innerHTML = html;
      // scrolled by the keyboard too
      report.querySelectorAll(".wide").forEach((wide) => { wide.tabIndex = 0; });
      const [paragraph, ...references] = methods.split("\n\n");
      const address = URL.createObjectURL(new Blob([document], { type: "text/html" }));
      const name = `${this.file.name.replace(/\.(csv|txt|tsv)?(\.gz)?$/i, "")}-${this.task}${at ? `-${at + 1}` : ""}.html`;
      const parts = [report, make("p", {}, make("a", { href: address, download: name, class: "errorest-button" }, "Download as HTML")), copied("Methods paragraph", paragraph, "div"), make("details", {}, make("summary", {}, "Its references"), copied("BibTeX", references.join("\n\n")))];
      if (reports.length === 1) return [make("h2", { tabindex: -1 }, title), ...parts];
      return [make("details", { open: !at }, make("summary", {}, title), ...parts)];
    });
    if (reports.length > 1) again.unshift(make("h2", { tabindex: -1 }, "Result"), make("pre", { tabindex: 0, "aria-label": "Result" }, summary));
    this.answer.replaceChildren(...(reports.length > 1 ? [...again, ...shown.flat()] : [...shown.flat(), ...again]));
    this.answer.querySelector("h2").focus();
  }
}

export function begin(part, base) {
  return new OwnData(part, base);
}
