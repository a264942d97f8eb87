/* app.js -- the page: what is asked becomes words of the program, what it answers is shown
 *
 * The program says everything itself: tables, charts and sentences are those of `nsmodel report`, messages its own.
 * Texts enter as text nodes, or as a report that escaped them.
 */
"use strict";
(function () {
  const { by, make, cancelled, Engine, Part } = nsmodelPage;
  const blank = (text) => text.trim() === "";
  const cut = (text) => text.split(/\s+/).filter((word) => word !== "");

  const engine = new Engine();
  const exchange = new Part("exchange", engine);
  const sweep = new Part("sweep", engine);
  const line = new Part("line", new Engine());

  /* ---- files ---- */

  const files = { matrix: null, machine: null, partition: null };
  const is = (name, ...endings) => endings.some((ending) => name.toLowerCase().endsWith(ending));
  const chosen = () => Object.values(files).filter((file) => file !== null);
  /* A word that the program takes for a file, whatever it begins with. */
  const word = (file) => file.name.startsWith("-") ? "./" + file.name : file.name;

  function useMatrix(file) {
    files.matrix = file;
    if (file) by("matrix").value = file.name;
    else by("matrix-file").value = "";
  }

  function useMachine(file) {
    files.machine = file;
    for (const select of [by("machine"), by("sweep-machine")]) {
      select.querySelectorAll("option[data-file]").forEach((option) => option.remove());
      if (!file) continue;
      const option = make("option", file.name);
      option.dataset.file = "";
      select.prepend(option);
      select.value = file.name;
    }
    nameMachines();
  }

  /* What the chosen machines are. */
  function nameMachines() {
    for (const select of [by("machine"), by("sweep-machine")])
      by(select.id + "-title").textContent = select.selectedOptions[0]?.dataset.title || "";
  }

  function take(file) {
    if (is(file.name, ".json")) useMachine(file);
    else useMatrix(file);
  }

  function connectFiles() {
    by("matrix-file").addEventListener("change", (event) => useMatrix(event.target.files[0] || null));
    by("machine-file").addEventListener("change", (event) => useMachine(event.target.files[0] || null));
    by("partition-file").addEventListener("change", (event) => { files.partition = event.target.files[0] || null; });
    by("matrix").addEventListener("input", () => {
      if (files.matrix && by("matrix").value !== files.matrix.name) useMatrix(null);
    });
    const over = (on) => document.body.classList.toggle("dropping", on);
    addEventListener("dragover", (event) => { event.preventDefault(); over(true); });
    addEventListener("dragleave", (event) => { if (!event.relatedTarget) over(false); });
    addEventListener("drop", (event) => {
      event.preventDefault();
      over(false);
      [...event.dataTransfer.files].forEach(take);
      if (event.dataTransfer.files.length > 0) go("exchange");
    });
  }

  /* ---- the exchange ---- */

  const value = (id) => by(id).value.trim();
  const give = (list, option, text) => { if (text !== "") list.push("--" + option, text); };

  function subject() {
    const file = files.matrix, name = file ? word(file) : value("matrix");
    return (file && is(file.name, ".csv")) || name.startsWith("alltoall:") ? ["--messages", name] : ["--matrix", name];
  }

  function machine(id) {
    return files.machine && by(id).value === files.machine.name ? word(files.machine) : by(id).value;
  }

  /* Options that predict and report have in common. */
  function exchangeWords() {
    const words = subject(), other = value("other");
    words.push("--machine", machine("machine") + (other !== "" ? "," + other : ""));
    give(words, "parts", value("parts"));
    give(words, "per-node", value("per-node"));
    if (value("width") !== "8B") give(words, "width", value("width"));
    give(words, "incumbent", value("incumbent"));
    if (files.partition) words.push("--partition", word(files.partition));
    value("set").split("\n").forEach((change) => give(words, "set", change.trim()));
    return words;
  }

  function gatherWords() {
    if (value("nodes") === "") return ["--netsparse", "none"];
    const words = [];
    if (!files.partition) words.push("--nodes", value("nodes"));
    give(words, "k", value("k"));
    return words;
  }

  /* What the last question was, and its answer: {words, json, page}. */
  const last = exchange.root.answer = { words: [], json: "", page: "" };

  /* A report's own page without its frame. */
  function showReport(page) {
    const report = new DOMParser().parseFromString(page, "text/html"), box = by("answer-box");
    const title = make("h2", report.querySelector("h1").textContent, "title");
    const rest = [...report.querySelectorAll("header p")];
    title.tabIndex = -1;
    document.title = title.textContent + " - nsmodel";
    box.replaceChildren(title, ...rest, report.querySelector("nav"), ...report.querySelector("main").children);
    box.dispatchEvent(new Event("figures", { bubbles: true }));
    return title;
  }

  async function compute() {
    const words = exchangeWords(), asked = ["report", ...words, ...gatherWords(), "-o", "nsmodel.html", "--json"];
    by("explanation").hidden = true;
    exchange.root.querySelector(".results").hidden = true;
    by("answer-box").replaceChildren();
    const reply = await exchange.run({ words: asked, files: chosen(), wanted: ["nsmodel.html"] });
    if (!reply) return;
    Object.assign(last, { words: words, json: reply.answer, page: reply.made["nsmodel.html"] });
    const title = showReport(last.page);
    exchange.root.querySelector(".results").hidden = false;
    exchange.say(make("p", "Done.", "said"));
    title.focus();
  }

  async function explain() {
    const reply = await exchange.run({ words: ["predict", ...last.words, "--explain"], files: chosen() });
    if (!reply) return;
    const box = by("explanation"), head = make("h2", "Every term");
    head.tabIndex = -1;
    box.replaceChildren(head, table(reply.answer, "Every term"));
    box.hidden = false;
    head.focus();
  }

  function table(text, label) {
    const box = make("div", "", "scroll panel"), pre = make("pre", text.trimEnd(), "table");
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", label);
    box.append(pre);
    return box;
  }

  function save(text, name, type) {
    const anchor = make("a");
    anchor.href = URL.createObjectURL(new Blob([text], { type: type }));
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
  }

  /* ---- the sweep ---- */

  function sweepWords() {
    const curves = cut(value("curves")), strategies = curves.length === 1 && curves[0] === "strategies";
    const words = ["sweep", ...(strategies ? ["--over", "strategy"] : curves), ...cut(value("sweep-inputs"))];
    for (const id of ["over", "over2"])
      if (strategies && value(id) !== "") words.push(value(id));
      else give(words, "over", value(id));
    words.push("--machine", machine("sweep-machine"), "--plot", "plot.html");
    return words;
  }

  async function computeSweep() {
    const box = by("sweep-box");
    box.replaceChildren();
    const reply = await sweep.run({ words: sweepWords(), files: chosen(), wanted: ["plot.html"] });
    if (!reply) return;
    const plot = new DOMParser().parseFromString(reply.made["plot.html"] || "", "text/html");
    box.replaceChildren(...plot.body.children, table(reply.answer, "Table of the sweep"));
    box.dispatchEvent(new Event("figures", { bubbles: true }));
    sweep.say(make("p", reply.words.trim() || "Done.", "said"));
  }

  /* ---- the calculator's line ---- */

  const earlier = [];
  let place = 0;

  function log(text, className) {
    by("log").append(make("pre", text, className || ""));
    by("log").scrollTop = by("log").scrollHeight;
  }

  async function enter(text) {
    if (blank(text)) return;
    earlier.push(text);
    place = earlier.length;
    log("> " + text, "asked");
    line.busy(true);
    try {
      const reply = await line.engine.ask({ line: text, files: chosen() }, (shown) => shown !== "" && line.show(shown));
      const said = (reply.answer + reply.words).trimEnd();
      if (said !== "") log(said, reply.code === 0 ? "" : "failed");
    } catch (error) {
      log(error === cancelled ? "cancelled; the calculator begins anew" : error.message, "failed");
    } finally {
      line.busy(false);
      by("line-text").focus();
    }
  }

  function recall(event) {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    place = Math.max(0, Math.min(earlier.length, place + step));
    event.target.value = earlier[place] || "";
  }

  /* ---- links that keep what was asked: #exchange?matrix=rajat01&machine=lassen ---- */

  const parts = { exchange: exchange, sweep: sweep, line: line };
  const plain = {}; /* what the forms held at first */

  const named = (part) => [...parts[part].form.elements].filter((field) => field.name !== "" && field.type !== "file");

  function link(part) {
    const query = new URLSearchParams();
    for (const field of named(part)) {
      const local = (field.id === "matrix" && files.matrix) || field.selectedOptions?.[0]?.dataset.file !== undefined;
      if (!local && field.value !== plain[field.id]) query.set(field.name, field.value);
    }
    return "#" + part + (part !== "line" ? "?" + query : "");
  }

  /* An option that the list lacks stays what it was. */
  function fill(part, query) {
    for (const field of named(part)) {
      const wanted = query.has(field.name) ? query.get(field.name) : plain[field.id];
      if (field.id === "matrix" && query.has("matrix")) useMatrix(null);
      if (!(field.id === "matrix" && files.matrix)) field.value = wanted;
      if (field.tagName === "SELECT" && field.selectedIndex < 0) field.value = plain[field.id];
    }
    nameMachines();
  }

  function open(part) {
    for (const name of Object.keys(parts)) {
      parts[name].root.hidden = name !== part;
      const anchor = document.querySelector(`header a[href="#${name}"]`);
      if (name === part) anchor.setAttribute("aria-current", "page");
      else anchor.removeAttribute("aria-current");
    }
  }

  function go(part) {
    if (location.hash.split("?")[0] !== "#" + part) history.pushState(null, "", "#" + part);
    open(part);
  }

  const runs = { exchange: compute, sweep: computeSweep };

  /* What the address says; with a query it is asked at once. */
  function follow() {
    const [name, query] = location.hash.slice(1).split("?");
    const part = parts[name] ? name : "exchange";
    open(part);
    if (query !== undefined && runs[part]) {
      fill(part, new URLSearchParams(query));
      engine.end(cancelled);
      runs[part]();
    }
    if (part === "sweep") listModels().catch(() => {}); /* suggestions only */
  }

  function submit(part) {
    return (event) => {
      event.preventDefault();
      const address = link(part);
      if (address !== location.hash) history.pushState(null, "", address);
      runs[part]();
    };
  }

  /* Links inside a report lead to its sections; the address is the question's. */
  function jump(event) {
    const anchor = event.target.closest("a[href^='#']"), section = anchor && by(anchor.hash.slice(1));
    if (!section || !by("answer-box").contains(section)) return;
    event.preventDefault();
    section.tabIndex = -1;
    section.scrollIntoView();
    section.focus({ preventScroll: true });
  }

  async function listModels() {
    if (by("models").children.length > 0) return;
    const reply = await engine.ask({ words: ["--complete", "nsmodel sweep "] });
    for (const row of reply.answer.split("\n")) {
      const [name, about] = row.split("\t");
      if (!about || name.startsWith("-") || name.startsWith(":")) continue;
      const option = make("option");
      option.value = name;
      option.label = about;
      by("models").append(option);
    }
  }

  function connect() {
    for (const part of Object.keys(parts)) for (const field of named(part)) {
      if (field.tagName === "SELECT" && field.name === "machine") field.value = "lassen-spectrum";
      plain[field.id] = field.value;
    }
    nameMachines();
    addEventListener("change", nameMachines);
    exchange.form.addEventListener("submit", submit("exchange"));
    sweep.form.addEventListener("submit", submit("sweep"));
    line.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = by("line-text").value;
      by("line-text").value = "";
      enter(text);
    });
    by("line-text").addEventListener("keydown", recall);
    by("explain").addEventListener("click", explain);
    by("save-json").addEventListener("click", () => save(last.json, "nsmodel.json", "application/json"));
    by("save-page").addEventListener("click", () => save(last.page, "nsmodel.html", "text/html"));
    by("answer-box").addEventListener("click", jump);
    addEventListener("popstate", follow);
    connectFiles();
  }

  connect();
  follow();
  engine.start().then(() => { document.documentElement.dataset.ready = ""; },
    (error) => exchange.say(make("p", error.message, "fault")));
})();
