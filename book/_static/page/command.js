/* Fills in the command of a panel with the values that are chosen; it works in a book that is opened from a folder too. */
(() => {
  "use strict";
  function begin(panel) {
    const form = panel.querySelector("form");
    const shown = panel.querySelector(".errorest-panel-command pre");
    const controls = [...form.querySelectorAll("[data-published]")];
    const show = () => {
      const changed = controls.filter((one) => one.value.trim() !== one.dataset.published);
      controls.forEach((one) => one.closest("p").classList.toggle("errorest-panel-changed", changed.includes(one)));
      const given = changed.map((one) => ` -p ${errorest.quoted(`${one.name}=${one.value.trim()}`)}`);
      shown.textContent = `$ .venv/bin/compendium run ${panel.dataset.notebook}${given.join("")}`;
    };
    for (const button of form.querySelectorAll("[data-scale]")) {
      button.addEventListener("click", () => {
        for (const one of controls) one.value = one.dataset[button.dataset.scale];
        show();
      });
    }
    form.addEventListener("input", show);
    form.addEventListener("submit", (event) => event.preventDefault());
    show();
  }

  addEventListener("DOMContentLoaded", () => document.querySelectorAll(".errorest-panel").forEach(begin));
})();
