/* engine.js -- the program in workers, and the part of the page that asks it: progress, cancel, what went wrong */
"use strict";
const nsmodelPage = (function () {
  const by = (id) => document.getElementById(id);
  const make = (name, text, className) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  /* ---- the program, in workers ---- */

  const cancelled = new Error("cancelled");
  let code = null; /* what a worker runs, as an address, and the program's bytes */

  async function unpack() {
    if (!("DecompressionStream" in window)) throw new Error("this browser is too old: it cannot unpack the program");
    const packed = Uint8Array.from(atob(by("program").textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return {
      address: URL.createObjectURL(new Blob([by("worker").textContent], { type: "text/javascript" })),
      binary: await new Response(stream).arrayBuffer(),
    };
  }

  /* One thread with the program in it; what is asked is answered in turn. */
  class Engine {
    constructor() {
      this.jobs = new Map();
      this.count = 0;
      this.ended = 0;
      this.worker = null;
    }

    async start() {
      code = code || unpack();
      const { address, binary } = await code;
      if (this.worker) return;
      this.worker = new Worker(address);
      this.worker.onmessage = (event) => this.hear(event.data);
      this.worker.onerror = (event) => this.end(new Error(event.message || "the program could not be started"));
      this.worker.postMessage({ binary: binary });
    }

    hear(message) {
      const job = this.jobs.get(message.id);
      if (message.broken) this.end(new Error("the program broke off: " + message.broken));
      if (!job) return;
      if (message.progress !== undefined) {
        job.tell(message.progress);
        return;
      }
      this.jobs.delete(message.id);
      job.resolve(message);
    }

    async ask(question, tell) {
      const names = (question.files || []).map((file) => file.name);
      if (new Set(names).size < names.length) throw new Error("two files have the same name: " + names.join(", "));
      const id = ++this.count, ended = this.ended;
      await this.start();
      if (ended !== this.ended) throw cancelled;
      return new Promise((resolve, reject) => {
        this.jobs.set(id, { resolve: resolve, reject: reject, tell: tell || (() => {}) });
        this.worker.postMessage(Object.assign({ id: id }, question));
      });
    }

    /* The thread ends with all that it was asked; the next question starts another. */
    end(reason) {
      if (this.worker) this.worker.terminate();
      this.worker = null;
      this.ended++;
      const jobs = [...this.jobs.values()];
      this.jobs.clear();
      jobs.forEach((job) => job.reject(reason));
    }
  }

  /* ---- a part of the page: its form, progress, and what it says ---- */

  class Part {
    constructor(id, engine) {
      this.root = by(id + "-part");
      this.form = by(id + "-form");
      this.engine = engine;
      this.button = this.root.querySelector("[type=submit]");
      this.cancel = this.root.querySelector("[data-cancel]");
      this.progress = this.root.querySelector(".progress");
      this.state = this.root.querySelector(".state");
      this.cancel.addEventListener("click", () => this.engine.end(cancelled));
    }

    show(line) {
      const bar = this.progress.querySelector("progress"), share = /(\d+)%/.exec(line);
      if (share) bar.value = Number(share[1]) / 100;
      else bar.removeAttribute("value");
      const [what, ...amounts] = line.split(/\s{2,}/).filter((word) => !/^\[[#-]*\]$/.test(word));
      this.progress.querySelector("span").textContent = what + (amounts.length > 0 ? ": " : "") + amounts.join(", ");
    }

    busy(on) {
      this.button.disabled = on;
      this.cancel.hidden = !on;
      this.progress.hidden = !on;
      this.root.setAttribute("aria-busy", on);
      if (on) this.show("computing");
    }

    say(node) {
      if (!this.state) return;
      this.state.replaceChildren(...(node ? [node] : []));
      if (node && node.className === "fault") node.scrollIntoView({ block: "nearest" });
    }

    /* The answer, or null when there is none, which has been said then; of two questions the later one is shown. */
    async run(question) {
      const turn = this.turn = (this.turn || 0) + 1;
      let reply = null, said;
      this.busy(true);
      this.say(null);
      try {
        reply = await this.engine.ask(question, (line) => turn === this.turn && line !== "" && this.show(line));
        said = make("p", reply.words.trim() || "the program ended with code " + reply.code, "fault");
      } catch (error) {
        said = error === cancelled ? make("p", "Cancelled.", "said") : make("p", error.message, "fault");
      }
      if (turn !== this.turn) return null;
      this.busy(false);
      if (reply !== null && reply.code === 0) return reply;
      this.say(said);
      return null;
    }
  }

  return { by: by, make: make, cancelled: cancelled, Engine: Engine, Part: Part };
})();
