// Makes the calls of page_calls.py in Pyodide under Node: node smoke.mjs PAGE OUT [NAME ...]
// PAGE is the folder _static/page of a self-contained book.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [folder, out, ...names] = process.argv.slice(2);
const page = (name) => resolve(folder, name);
// an exception that nobody catches would print the whole of Pyodide
process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(1);
});
const { loadPyodide } = await import(pathToFileURL(page("parts/pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: page("parts") + "/", lockFileURL: page("pyodide-lock.json") });
const { packages } = JSON.parse(readFileSync(page("pyodide-lock.json")));
await pyodide.loadPackage(Object.keys(packages), { messageCallback: () => {} });
pyodide.FS.mkdirTree("/own");
pyodide.unpackArchive(new Uint8Array(readFileSync(page("library.zip"))), "zip", { extractDir: "/own" });
for (const name of ["page_calls.py", "smoke.py"]) pyodide.FS.writeFile(`/own/${name}`, readFileSync(`${here}/${name}`));
for (const name of ["kernels.wasm", "kernels.json"]) pyodide.FS.writeFile(`/own/${name}`, readFileSync(page(name)));
pyodide.globals.set("names", pyodide.toPy(names));
const text = pyodide.runPython(`
import json, sys
sys.path.insert(0, "/own")
from errorest.compiled import load_ahead
load_ahead("/own")
import smoke
json.dumps(smoke.run(list(names)))
`);
writeFileSync(out, text);
console.error(`heap: ${Math.round(pyodide._module.HEAP8.length / 1e6)} MB`);
