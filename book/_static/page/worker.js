// Runs the library in a worker: the page sends { id, call, arguments, files }, and gets { id, answer } or
// { id, problem }, and meanwhile { progress, done, total } in bytes or { fits }.  Python is loaded with the first
// message, and a package that a call turns out to import before it is made again.  Every part is checked against the
// SHA-256 of the lock file; a call is a name of Python's own list, and no text that comes from the page is run.

const SITE = "/lib/errorest";

const here = (name) => new URL(name, import.meta.url).href;
const plainFetch = self.fetch.bind(self);
let lock = null;
const installed = new Set();
const begun = new Map();
let loaded = 0;
let expected = 0;

/** Note when a stage of the start ends, which .ci/pages/time.cjs reads. */
const ended = (stage) => performance.mark(stage);

function say(progress) {
  self.postMessage({ progress, done: loaded, total: expected });
}

/** The SHA-256 of the lock file as browsers read it. */
function integrity(sha256) {
  return `sha256-${btoa(String.fromCharCode(...sha256.match(/../g).map((byte) => parseInt(byte, 16))))}`;
}

/** A part by its name, of which the fetch may have begun before. */
function part(name) {
  const early = begun.get(name) ?? fetchPart(name);
  begun.delete(name);
  return early;
}

/** Begin to fetch parts; what fails is told where they are used. */
function begin(names) {
  for (const name of names) {
    expected += lock.files[name].size;
    begun.set(name, fetchPart(name));
    begun.get(name).catch(() => {});
  }
}

/** Fetch a part, wherever the lock file says that it lies, and count its bytes. */
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
  const script = new Blob([await (await part(name)).arrayBuffer()], { type: "text/javascript" });
  const address = URL.createObjectURL(script);
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A file of the book's own beside this one; nothing where it is missing. */
async function fetchOwn(name) {
  const file = await plainFetch(here(name));
  return file.ok ? new Uint8Array(await file.arrayBuffer()) : null;
}

/** Packages with all that they depend on, without those that are there. */
function lacking(names, found = new Set()) {
  for (const name of names) {
    if (found.has(name) || installed.has(name)) continue;
    found.add(name);
    lacking(lock.packages[name].depends, found);
  }
  return [...found];
}

/** Begin to fetch packages, all at once; returns a function that unpacks them into Python. */
function install(names) {
  const wanted = lacking(names);
  wanted.forEach((name) => installed.add(name));
  begin(wanted.map((name) => lock.packages[name].file_name));
  return async (python, folder) => {
    const libraries = wanted.filter((name) => lock.packages[name].package_type === "shared_library");
    await python.loadPackage(libraries, { messageCallback: () => {} });
    // Pyodide's own loader would compile every extension module of a package; here each is when it is imported
    for (const name of wanted.filter((one) => !libraries.includes(one))) {
      const archive = await (await part(lock.packages[name].file_name)).arrayBuffer();
      python.unpackArchive(archive, "wheel", { extractDir: folder });
    }
    python.pyimport("importlib").invalidate_caches();
  };
}

async function start() {
  lock = await (await plainFetch(here("pyodide-lock.json"))).json();
  // Pyodide asks for its parts by this
  self.fetch = (address, options) => {
    const name = String(address?.url ?? address).split("/").pop();
    return name in lock.files ? part(name) : plainFetch(address, options);
  };
  begin(Object.keys(lock.files).filter((name) => lock.files[name].folder === "core"));
  const unpack = install(lock.first);
  const own = ["library.zip", "kernels.wasm", "kernels.json"].map(fetchOwn);
  const { loadPyodide } = await importPart("pyodide.mjs");
  await importPart("pyodide.asm.js");
  // without docstrings, which take memory
  const python = await loadPyodide({ indexURL: here("./"), lockFileURL: here("pyodide-lock.json"), args: ["-OO"] });
  const folder = python.runPython("import site; site.getsitepackages()[0]");
  ended("Python");
  await unpack(python, folder);
  ended("packages");
  say("starting the library");
  python.FS.mkdirTree(SITE);
  python.FS.mkdirTree("/files");
  const [library, wasm, index] = await Promise.all(own);
  python.unpackArchive(library, "zip", { extractDir: SITE });
  if (wasm && index) {
    python.FS.writeFile(`${SITE}/kernels.wasm`, wasm);
    python.FS.writeFile(`${SITE}/kernels.json`, index);
  }
  python.registerJsModule("errorest_worker", { report: (text) => self.postMessage({ fits: text }) });
  const path = python.pyimport("sys").path;
  path.append(SITE);
  path.destroy();
  const page = python.pyimport("compendium.page");
  ended("library");
  page.start(SITE, "/files");
  ended("imports");
  self.errorestHeap = () => python._module.HEAP8.length;
  return { python, page, folder };
}

/** Call Python; where it imports a package that is not there, load that and call again. */
async function ask({ python, page, folder }, call, values) {
  for (;;) {
    const answer = JSON.parse(page.answer(call, JSON.stringify(values ?? {})));
    if (!("lacking" in answer)) return answer;
    const found = Object.entries(lock.packages).find(([, { imports }]) => imports?.includes(answer.lacking));
    if (!found || installed.has(found[0])) {
      if ("problem" in answer) return answer;
      throw new Error(`Python lacks ${answer.lacking}`);
    }
    await install([found[0]])(python, folder);
  }
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
    const running = await engine;
    writeFiles(running.python, files);
    self.postMessage({ id, ...(await ask(running, call, values)) });
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
