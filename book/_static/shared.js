/* What the scripts of the pages share. */
const errorest = (() => {
  "use strict";
  const make = (tag, attributes = {}, text = "") => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text) made.textContent = text;
    return made;
  };

  /* a line of the controls: a label and what it names */
  function question(controls, id, label, input) {
    const line = make("p");
    input.id = id;
    line.append(make("label", { for: id }, label), input);
    controls.append(line);
    return input;
  }

  /* a word of a command, as a shell takes it */
  const quoted = (text) => (/^[\w.,=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

  return { make, question, quoted };
})();
