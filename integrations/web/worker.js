/* worker.js -- the program in a thread of its own: words and files in, an answer out, progress on the way
 *
 * It stands behind emscripten's own code, which defines nsmodel().  Messages in: {binary} once, then {id, words, files,
 * wanted} or {id, line}.  Out: {id, progress} any number of times, then {id, code, answer, words, made}.
 */
"use strict";
let engine = null;
let job = null;

/* What the program writes for people: lines, and between carriage returns its line of progress. */
const words = { line: "", text: "", drawn: false };

function hear(bytes) {
  for (const c of new TextDecoder().decode(bytes)) {
    if (c === "\r") {
      words.line = "";
      words.drawn = true;
    } else if (c === "\n") {
      words.text += words.line + "\n";
      words.line = "";
      words.drawn = false;
    } else {
      words.line += c;
    }
  }
  if (words.drawn) postMessage({ id: job, progress: words.line.trim() });
}

/* The device that the program takes for a terminal, so that it shows progress. */
function addDevice(FS) {
  const number = FS.makedev(64, 0);
  FS.registerDevice(number, {
    open: (stream) => { stream.tty = {}; stream.seekable = false; },
    close: () => {},
    write: (stream, buffer, offset, length) => {
      hear(buffer.slice(offset, offset + length));
      return length;
    },
  });
  FS.mkdev("/dev/words", number);
}

async function begin(binary) {
  const made = await nsmodel({ wasmBinary: binary });
  addDevice(made.FS);
  made.FS.mkdir("/files");
  made.FS.mkdir("/here");
  made.FS.chdir("/here");
  return made;
}

/* The reader's files are read where they are, piece by piece; in the working folder they have their names. */
function mount(FS, files) {
  for (const name of FS.readdir("/here")) if (name !== "." && name !== "..") FS.unlink("/here/" + name);
  if (FS.lookupPath("/files").node.mounted) FS.unmount("/files");
  if (files.length === 0) return;
  FS.mount(engine.WORKERFS, { blobs: files.map((file) => ({ name: file.name, data: file })) }, "/files");
  for (const file of files) FS.symlink("/files/" + file.name, "/here/" + file.name);
}

function read(FS, path) {
  return FS.analyzePath(path).exists ? FS.readFile(path, { encoding: "utf8" }) : null;
}

function answer(message) {
  const FS = engine.FS;
  let code;
  words.line = words.text = "";
  words.drawn = false;
  mount(FS, message.files || []);
  if (message.line !== undefined) {
    code = engine.ccall("web_line", "number", ["string"], [message.line]);
  } else {
    const text = new TextEncoder().encode(message.words.map((word) => word + "\0").join("") + "\0");
    code = engine.ccall("web_run", "number", ["number", "array"], [message.words.length, text]);
  }
  const made = {};
  for (const name of message.wanted || []) made[name] = read(FS, name);
  if (!words.drawn) words.text += words.line;
  return { id: message.id, code: code, answer: read(FS, "/answer"), words: words.text, made: made };
}

let work = Promise.resolve();
onmessage = (event) => {
  work = work.then(async () => {
    if (event.data.binary) {
      engine = await begin(event.data.binary);
      return;
    }
    job = event.data.id;
    postMessage(answer(event.data));
  }).catch((error) => postMessage({ broken: String(error && error.message || error) }));
};
