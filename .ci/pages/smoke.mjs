// Makes the calls of page_calls.py in Pyodide under Node: node smoke.mjs PARTS LIBRARY.zip KERNELS OUT [NAME ...]
// PARTS is the folder of Pyodide's files, KERNELS that of kernels.wasm, or - for plain Python.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [parts, library, kernels, out, ...names] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(parts, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: resolve(parts) + "/" });
await pyodide.loadPackage(["numpy", "scipy", "pandas", "scikit-learn"], { messageCallback: () => {} });
pyodide.FS.mkdirTree("/own");
pyodide.unpackArchive(new Uint8Array(readFileSync(library)), "zip", { extractDir: "/own" });
for (const name of ["page_calls.py", "smoke.py"]) pyodide.FS.writeFile(`/own/${name}`, readFileSync(`${here}/${name}`));
if (kernels !== "-") {
  for (const name of ["kernels.wasm", "kernels.json"]) pyodide.FS.writeFile(`/own/${name}`, readFileSync(resolve(kernels, name)));
}
pyodide.globals.set("names", pyodide.toPy(names));
const text = pyodide.runPython(`
import json, sys
sys.path.insert(0, "/own")
from errorest.compiled import load_ahead
${kernels === "-" ? "" : 'load_ahead("/own")'}
import smoke
json.dumps(smoke.run(list(names)))
`);
writeFileSync(out, text);
console.error(`heap: ${Math.round(pyodide._module.HEAP8.length / 1e6)} MB`);
