// The panel "Change parameters": runs an artifact with the parameters of the form, and shows it below the published one.
import { Runner, make } from "./page.js";

const RUN = "compendium.page.panel:run";

/** The published artifact on this page, which stands below its heading. */
function published(id) {
  return document.getElementById(`artifact-${id}`)?.closest("section")?.querySelector(".errorest-artifact");
}

class Panel {
  constructor(part, base) {
    this.part = part;
    this.form = part.querySelector("form");
    this.choice = this.form.elements.artifact;
    this.runner = new Runner(base);
    this.button = this.form.querySelector("[type=submit]");
    this.button.hidden = false;
    this.button.closest("p").after(this.runner.element);
    this.form.addEventListener("submit", () => this.run());
    for (const { value } of this.choice.options) this.#lead(value);
  }

  /** Lead from an artifact to this panel. */
  #lead(id) {
    const more = published(id)?.querySelector(".errorest-more");
    const open = () => {
      this.part.open = true;
      this.choice.value = id;
      this.part.scrollIntoView();
      this.part.querySelector("summary").focus({ preventScroll: true });
    };
    more?.append(" ", make("button", { type: "button", class: "errorest-button", onclick: open }, "Change parameters"));
  }

  async run() {
    const id = this.choice.value;
    const controls = [...this.form.querySelectorAll("[data-published]")];
    const parameters = Object.fromEntries(controls.map((one) => [one.name, one.value]));
    this.button.disabled = true;
    const answer = await this.runner.run(RUN, { artifact: id, parameters }, {}, "running");
    this.button.disabled = false;
    if (!answer) return;
    this.button.textContent = "Run it in this page";
    this.#show(id, answer.html);
  }

  #show(id, html) {
    const name = `with-other-parameters-${id}`;
    document.getElementById(name)?.remove();
    const title = make("h3", { tabindex: -1 }, "With other parameters");
    const back = make("a", { href: `#${this.part.id}` }, "Back to the parameters");
    const result = make("section", { id: name, class: "in-page errorest-panel-result", "aria-label": "With other parameters" });
    // written by the templates of the book's own tables, which escape every text
    result.innerHTML = html;
    // a page whose colours were chosen by hand says which drawing it shows
    const { theme } = document.documentElement.dataset;
    for (const source of result.querySelectorAll("source[data-dark]")) {
      if (theme === "dark" || theme === "light") source.media = theme === "dark" ? source.dataset.dark : "not all";
    }
    result.prepend(title);
    result.append(make("p", {}, back));
    (published(id) ?? this.part).after(result);
    title.focus({ preventScroll: true });
    result.scrollIntoView();
  }
}

export function begin(part, base) {
  if (part.querySelector("[type=submit]")) new Panel(part, base);
}
