// What the pages that run the library share: elements, the worker that runs Python, and the line that says how far it is.

/** Make an element; children that are text are never HTML. */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** What a reader is told in one line: the problem, then a hint. */
export class Problem extends Error {}

/** Python in a worker: started by the first call, ended by stop(). */
export class Engine {
  constructor(base, tell) {
    this.address = new URL("worker.js", base).href;
    this.tell = tell;
    this.waiting = new Map();
    this.calls = 0;
    this.worker = null;
  }

  call(call, values = {}, files = {}) {
    this.worker ??= this.#start();
    const id = (this.calls += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, call, arguments: values, files });
    });
  }

  stop(reason = "stopped; nothing was kept") {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(new Problem(reason));
    this.waiting.clear();
  }

  #start() {
    const worker = new Worker(this.address, { type: "module" });
    worker.onmessage = ({ data }) => {
      if (!("id" in data)) return this.tell(data);
      const one = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if ("problem" in data) one?.reject(new Problem(data.problem));
      else one?.resolve(data.answer);
    };
    worker.onerror = () => this.stop("the page's worker could not be loaded; reload the page");
    return worker;
  }
}

const MEGA = 1e6;

/** A line that says how far a run is, with Stop, the forecast of a long run, and problems; it runs one call at a time. */
export class Runner {
  constructor(base) {
    this.line = make("p", { class: "in-page-line", role: "status" });
    this.bar = make("progress", { class: "in-page-bar", "aria-label": "share of the download", hidden: true });
    this.stopper = make("button", { type: "button", class: "errorest-button", hidden: true, onclick: () => this.stop() }, "Stop");
    this.problem = make("p", { class: "in-page-problem", role: "alert", hidden: true });
    this.question = make("p", { class: "in-page-question", hidden: true });
    this.element = make("div", { class: "in-page-runner" }, this.line, this.bar, this.stopper, this.question, this.problem);
    this.engine = new Engine(base, (message) => this.#tell(message));
    this.running = false;
  }

  #tell({ progress, done, total, fits }) {
    if (fits) return void (this.line.textContent = fits);
    this.bar.hidden = done >= total;
    this.bar.max = total;
    this.bar.value = done;
    const share = done < total ? ` (${Math.round(done / MEGA)} of ${Math.round(total / MEGA)} MB)` : "";
    this.line.textContent = `${done < total ? progress : "starting the library"}${share} …`;
  }

  stop() {
    this.engine.stop();
  }

  complain(text) {
    this.problem.textContent = text;
    this.problem.hidden = !text;
  }

  /** Call Python; the answer, or null where there was a problem, which is shown. */
  async run(call, values, files, doing) {
    if (this.running) return null;
    this.complain("");
    this.#ask(null);
    this.running = true;
    this.stopper.hidden = false;
    this.line.textContent = `${doing} …`;
    try {
      const answer = await this.engine.call(call, values, files);
      if (answer && "forecast" in answer) return await this.#confirm(answer.forecast, call, values, files, doing);
      return answer;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.complain(problem.message);
      return null;
    } finally {
      this.running = false;
      this.stopper.hidden = this.bar.hidden = true;
      this.line.textContent = "";
    }
  }

  /** Ask before a run that takes long; null where the reader does not want it. */
  async #confirm(seconds, call, values, files, doing) {
    this.stopper.hidden = true;
    this.line.textContent = "";
    const wanted = await new Promise((resolve) => this.#ask(seconds, resolve));
    this.#ask(null);
    this.running = false;
    return wanted ? this.run(call, { ...values, confirmed: true }, files, doing) : null;
  }

  #ask(seconds, resolve) {
    this.question.hidden = seconds === null;
    this.question.replaceChildren();
    if (seconds === null) return;
    const yes = make("button", { type: "button", class: "errorest-button", onclick: () => resolve(true) }, "Run it");
    const no = make("button", { type: "button", class: "errorest-button", onclick: () => resolve(false) }, "Do not run it");
    this.question.append(`This takes about ${duration(seconds)} in this page. `, yes, " ", no);
    yes.focus();
  }
}

/** Seconds in words. */
export function duration(seconds) {
  return seconds < 90 ? `${Math.round(seconds)} seconds` : `${Math.round(seconds / 60)} minutes`;
}

/** A text in a fixed width, with a button that copies it. */
export function copied(title, text, kind = "pre") {
  const button = make("button", { type: "button", class: "errorest-button" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(shown);
      button.textContent = "Selected";
    }
  });
  const shown = make(kind, kind === "pre" ? { tabindex: 0, "aria-label": title } : {}, text);
  return make("section", { class: "in-page-copied" }, make("h3", {}, title, " ", button), shown);
}
