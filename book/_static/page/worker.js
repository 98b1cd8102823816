// Runs the library in a worker: the page sends { id, call, arguments, files }, and gets { id, answer } or
// { id, problem }, and meanwhile { progress, done, total } in bytes or { fits }.  Python is loaded with the first
// message.  Every part is checked against the SHA-256 of the lock file; a call is a name of Python's own list, and no
// text that comes from the page is run.

const here = (name) => new URL(name, import.meta.url).href;
const plainFetch = self.fetch.bind(self);
let lock = null;
let loaded = 0;

function say(progress) {
  const total = Object.values(lock.files).reduce((sum, file) => sum + file.size, 0);
  self.postMessage({ progress, done: loaded, total });
}

/** The SHA-256 of the lock file as browsers read it. */
function integrity(sha256) {
  return `sha256-${btoa(String.fromCharCode(...sha256.match(/../g).map((byte) => parseInt(byte, 16))))}`;
}

/** Fetch a part by its name, wherever the lock file says that it lies, and count its bytes. */
async function fetchPart(name) {
  const file = lock.files[name];
  const answer = await plainFetch(here(file.address), { integrity: integrity(file.sha256), credentials: "omit" });
  if (!answer.ok) throw new Error(`${here(file.address)} answers ${answer.status}`);
  const counter = new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      say("loading Python and its packages");
      controller.enqueue(chunk);
    },
  });
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(answer.body.pipeThrough(counter), { headers: { "Content-Type": type } });
}

/** Import a script of the lock file, checked first. */
async function importPart(name) {
  const script = new Blob([await (await fetchPart(name)).arrayBuffer()], { type: "text/javascript" });
  const address = URL.createObjectURL(script);
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function start() {
  lock = await (await plainFetch(here("pyodide-lock.json"))).json();
  // Pyodide asks for its parts by this
  self.fetch = (address, options) => {
    const name = String(address?.url ?? address).split("/").pop();
    return name in lock.files ? fetchPart(name) : plainFetch(address, options);
  };
  const { loadPyodide } = await importPart("pyodide.mjs");
  await importPart("pyodide.asm.js");
  const python = await loadPyodide({ indexURL: here("./"), lockFileURL: here("pyodide-lock.json") });
  await python.loadPackage(Object.keys(lock.packages), { messageCallback: () => {} });
  say("starting the library");
  const site = "/lib/errorest";
  python.FS.mkdirTree(site);
  python.FS.mkdirTree("/files");
  const library = await plainFetch(here("library.zip"));
  python.unpackArchive(await library.arrayBuffer(), "zip", { extractDir: site });
  for (const name of ["kernels.wasm", "kernels.json"]) {
    const file = await plainFetch(here(name));
    if (file.ok) python.FS.writeFile(`${site}/${name}`, new Uint8Array(await file.arrayBuffer()));
  }
  python.registerJsModule("errorest_worker", { report: (text) => self.postMessage({ fits: text }) });
  const path = python.pyimport("sys").path;
  path.append(site);
  path.destroy();
  const page = python.pyimport("compendium.page");
  page.start(site, "/files");
  return { python, page };
}

function writeFiles(python, files) {
  for (const name of python.FS.readdir("/files")) if (name !== "." && name !== "..") python.FS.unlink(`/files/${name}`);
  for (const [name, bytes] of Object.entries(files ?? {})) {
    if (/[/\0]/.test(name) || name === "." || name === "..") throw new Error(`a file cannot be called ${name}`);
    python.FS.writeFile(`/files/${name}`, bytes);
  }
}

let engine = null;
let last = Promise.resolve();

async function answer({ id, call, arguments: values, files }) {
  try {
    engine ??= start();
    const { python, page } = await engine;
    writeFiles(python, files);
    self.postMessage({ id, ...JSON.parse(page.answer(call, JSON.stringify(values ?? {}))) });
  } catch (error) {
    console.error(error);
    const why = String(error?.message ?? error).split("\n").filter(Boolean).pop();
    self.postMessage({ id, problem: `Python could not be run (${why}); reload the page and try again` });
  }
}

// one after the other, in the order of the messages
self.onmessage = ({ data }) => {
  last = last.then(() => answer(data));
};
