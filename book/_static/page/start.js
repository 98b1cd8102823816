/* Starts what a page can do beyond being read, where a server serves it: modules and workers do not load from a folder. */
(() => {
  "use strict";
  const base = document.currentScript.src;
  addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("[data-in-page]").forEach((part) => {
      const served = location.protocol !== "file:";
      part.querySelectorAll(served ? ".in-page-unserved" : ".in-page-served").forEach((one) => one.remove());
      if (served) import(new URL(part.dataset.inPage, base).href).then((module) => module.begin(part, base));
    });
  });
})();
