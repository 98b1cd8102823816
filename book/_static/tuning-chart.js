/* The chart of the tuning bias: its sliders choose from the numbers in the page, and its lines are drawn again. */
(() => {
  const data = JSON.parse(document.getElementById("tuning-numbers").textContent);
  const chart = document.getElementById("tuning-chart");
  const [left, right, top, bottom] = chart.dataset.area.split(" ").map(Number);
  const names = [...document.querySelectorAll("#tuning-table thead th")].slice(1).map((cell) => cell.textContent);
  const inputs = ["size", "accuracy", "trials"].map((name) => document.getElementById(`tuning-${name}`));
  const whole = (n) => n.toLocaleString("en").replaceAll(",", "\u202f");
  const text = [(i) => `${whole(data.sizes[i])} cases`, (i) => `${Math.round(1000 * data.accuracies[i]) / 10} %`,
    (i) => (i ? `${whole(data.trials[i])} settings` : "1 setting")];
  const across = (t) => left + (right - left) * Math.log10(t) / Math.log10(data.trials.at(-1));
  function end(highest) {
    const power = 10 ** Math.floor(Math.log10(Math.max(highest, 0.01)));
    return [1, 2, 5, 10].map((step) => step * power).find((most) => highest <= most);
  }
  function draw(biases, at) {
    const most = end(Math.max(...biases.flat()));
    const height = (bias) => bottom - (bottom - top) * bias / most;
    chart.querySelectorAll(".tuning-tick").forEach((tick, part) => {
      tick.textContent = Number((most * part / 5).toPrecision(3));
    });
    chart.querySelectorAll("polyline").forEach((line, k) => {
      line.setAttribute("points", data.trials.map((t, i) => `${across(t)},${height(biases[i][k])}`).join(" "));
    });
    const x = across(data.trials[at]);
    chart.querySelectorAll("circle").forEach((dot, k) => {
      dot.setAttribute("cx", x);
      dot.setAttribute("cy", height(biases[at][k]));
    });
    ["x1", "x2"].forEach((side) => document.getElementById("tuning-rule").setAttribute(side, x));
  }
  function tell() {
    const at = inputs.map((input) => Number(input.value));
    const biases = data.bias[at[0]][at[1]];
    inputs.forEach((input, i) => {
      input.setAttribute("aria-valuetext", text[i](at[i]));
      document.getElementById(`${input.id}-value`).textContent = text[i](at[i]);
    });
    const answer = `${text[0](at[0])}, accuracy ${text[1](at[1])}, ${text[2](at[2])} tried: ` +
      names.map((name, k) => `${name.toLowerCase()} ${biases[at[2]][k].toFixed(2)}`).join("; ") + " points.";
    document.getElementById("tuning-answer").textContent = answer;
    chart.setAttribute("aria-label", `Lines of the expected bias over the number of settings tried. ${answer}`);
    document.getElementById("tuning-shown").textContent = `${text[0](at[0])}, accuracy ${text[1](at[1])}`;
    document.querySelectorAll("#tuning-table tbody tr").forEach((row, i) => {
      row.classList.toggle("tuning-chosen", i === at[2]);
      [...row.querySelectorAll("td")].forEach((cell, k) => { cell.textContent = biases[i][k].toFixed(2); });
    });
    draw(biases, at[2]);
  }
  inputs.forEach((input) => input.addEventListener("input", tell));
  document.getElementById("tuning-controls").hidden = false;
  tell();
})();
