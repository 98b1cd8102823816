/* The chart of the tuning bias: its sliders choose from numbers that were computed when the book was built. */
(() => {
  const data = window.errorestTuning;
  const place = document.getElementById("tuning-chart");
  const inputs = ["size", "accuracy", "trials"].map((name) => document.getElementById(`tuning-${name}`));
  const percent = (a) => `${Math.round(1000 * a) / 10} %`;
  const whole = (n) => n.toLocaleString("en").replaceAll(",", "\u202f");
  const text = [(i) => `${whole(data.sizes[i])} cases`, (i) => percent(data.accuracies[i]),
    (i) => (i ? `${whole(data.trials[i])} settings` : "1 setting")];
  const now = () => inputs.map((input) => Number(input.value));
  const points = ([m, a]) => data.trials.flatMap((t, i) =>
    data.scenarios.map((scenario, k) => ({ t, scenario, bias: data.bias[m][a][i][k] })));
  let view = null;
  function tell() {
    const at = now();
    inputs.forEach((input, i) => {
      input.setAttribute("aria-valuetext", text[i](at[i]));
      document.getElementById(`${input.id}-value`).textContent = text[i](at[i]);
    });
    const chosen = data.bias[at[0]][at[1]][at[2]];
    document.getElementById("tuning-answer").textContent =
      `${text[0](at[0])}, accuracy ${text[1](at[1])}, ${text[2](at[2])} tried: ` +
      data.scenarios.map((name, k) => `${name.toLowerCase()} ${chosen[k].toFixed(2)}`).join("; ") + " points.";
    document.getElementById("tuning-shown").textContent = `${text[0](at[0])}, accuracy ${text[1](at[1])}`;
    document.querySelectorAll("#tuning-table tbody tr").forEach((row, i) => {
      row.classList.toggle("tuning-chosen", i === at[2]);
      [...row.querySelectorAll("td")].forEach((cell, k) => {
        cell.textContent = data.bias[at[0]][at[1]][i][k].toFixed(2);
      });
    });
    if (view) view.data("points", points(at)).signal("t", data.trials[at[2]]).runAsync();
  }
  inputs.forEach((input) => input.addEventListener("input", tell));
  document.getElementById("tuning-controls").hidden = false;
  tell();
  if (window.vegaEmbed) {
    const still = [...place.childNodes];
    const spec = structuredClone(data.spec);
    spec.data.values = points(now());
    window.vegaEmbed(place, spec, { actions: false, renderer: "svg" })
      .then((made) => { view = made.view; tell(); })
      .catch(() => place.replaceChildren(...still));
  }
})();
