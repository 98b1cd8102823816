{
  // here and at once: what begins after the page has loaded, a browser that prints does not wait for
  MathJax.typeset();
  const boxes = [...document.querySelectorAll(".errorest-scroll, pre, div.math, figure")]
    .filter((box) => !box.parentElement.closest(".errorest-scroll, figure"));
  // all sizes first: whatever is set between two readings lays the whole book out again
  const width = (box) => Math.max(box.scrollWidth, box.firstElementChild?.scrollWidth ?? 0);
  const lefts = boxes.map((box) => box.getBoundingClientRect().left);
  const widths = boxes.map(width);
  // what no sheet takes at a size that can be read goes without its z
  const tooWide = boxes.filter((box, place) => 1000 / widths[place] < 0.3);
  tooWide.forEach((box) => box.classList.add("errorest-without-z"));
  tooWide.forEach((box) => (widths[boxes.indexOf(box)] = width(box)));
  const tooSmall = new Set();
  boxes.forEach((box, place) => {
    if (widths[place] <= 681 - lefts[place]) return;
    // letters have no part of a pixel, so a smaller table is not smaller in proportion
    const upright = 0.99 * (680 - lefts[place]) / widths[place];
    const lying = Math.min(1, 0.99 * (1000 - lefts[place]) / widths[place]);
    if (upright < 0.6) box.classList.add("errorest-wide");
    box.style.zoom = upright < 0.6 ? lying : upright;
    if (lying < 0.3) tooSmall.add(box);
  });
  const right = (element) => element?.getBoundingClientRect().right ?? 0;
  const most = (box) => (box.classList.contains("errorest-wide") ? 1000 : 680) + 2;
  const beyond = boxes.filter((box) => Math.max(right(box), right(box.firstElementChild)) > most(box));
  const cut = new Set([...tooSmall, ...beyond]).size;
  document.title = document.title.replace("not ready", cut ? `${cut} cut` : "whole");
}
