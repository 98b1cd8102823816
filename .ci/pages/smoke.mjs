// Makes the calls of page_calls.py in Pyodide under Node: node smoke.mjs PAGE OUT [NAME ...]
// PAGE is the folder _static/page of a self-contained book.  Before, 2,000 cases are read and judged as a page does,
// and the memory that this takes is held to a limit.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const MOST = 150; // MB of WebAssembly, which grows in steps of a fifth: 109, 130, 156
const here = dirname(fileURLToPath(import.meta.url));
const [folder, out, ...names] = process.argv.slice(2);
const page = (name) => resolve(folder, name);
// an exception that nobody catches would print the whole of Pyodide
process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(1);
});
const { loadPyodide } = await import(pathToFileURL(page("parts/pyodide.mjs")));
const python = await loadPyodide({ indexURL: page("parts") + "/", lockFileURL: page("pyodide-lock.json"), args: ["-OO"] });
const { packages, first } = JSON.parse(readFileSync(page("pyodide-lock.json")));
const there = new Set();
const site = python.runPython("import site; site.getsitepackages()[0]");

/** Unpack a package and those that it depends on, as the page's worker does. */
async function install(name) {
  if (there.has(name)) return;
  there.add(name);
  const { depends, file_name, package_type } = packages[name];
  for (const one of depends) await install(one);
  if (package_type === "shared_library") await python.loadPackage(name, { messageCallback: () => {} });
  else python.unpackArchive(new Uint8Array(readFileSync(page(`parts/${file_name}`))), "wheel", { extractDir: site });
}

const heap = () => Math.round(python._module.HEAP8.length / 1e6);
for (const name of first) await install(name);
python.FS.mkdirTree("/own");
python.unpackArchive(new Uint8Array(readFileSync(page("library.zip"))), "zip", { extractDir: "/own" });
for (const name of ["page_calls.py", "smoke.py"]) python.FS.writeFile(`/own/${name}`, readFileSync(`${here}/${name}`));
for (const name of ["kernels.wasm", "kernels.json"]) python.FS.writeFile(`/own/${name}`, readFileSync(page(name)));
python.runPython(`
import importlib, json, random, sys
sys.path.insert(0, "/own")
from compendium import page
page.start("/own", "/own")
draw = random.Random(1)
with open("large.csv", "w") as file:
    print(*"abcdefghij", "class", sep=",", file=file)
    for i in range(2000):
        print(*(f"{draw.gauss(i % 2 / 3, 1):.4f}" for _ in range(10)), "xy"[i % 2], sep=",", file=file)

def judge(learner):
    importlib.invalidate_caches()
    chosen = {"task": "estimate", "name": "large.csv", "learners": [learner], "method": "cv(k=5)"}
    answer = json.loads(page.answer("compendium.page.own_data:assess", json.dumps(chosen)))
    if "answer" not in answer:
        raise RuntimeError(answer)
`);
for (const learner of ["naive-bayes", "c4.5", "sklearn-logistic"]) {
  if (learner.startsWith("sklearn")) await install("scikit-learn");
  python.runPython(`judge("${learner}")`);
  console.error(`heap after 2,000 cases, ${learner}: ${heap()} MB`);
  if (heap() > MOST) throw new Error(`${learner} takes ${heap()} MB for 2,000 cases; expected at most ${MOST}`);
}
for (const name of Object.keys(packages)) await install(name);
python.globals.set("names", python.toPy(names));
const text = python.runPython(`
importlib.invalidate_caches()
import smoke
json.dumps(smoke.run(list(names)))
`);
writeFileSync(out, text);
console.error(`heap: ${heap()} MB`);
