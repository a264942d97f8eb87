/* page.js -- makes the figures live; without it the page shows the same lines as pictures
 *
 * Every value shown was formatted by the program: the chart and the tables never disagree.  Texts enter as text nodes
 * only.
 */
"use strict";
(function () {
  const number = (value, unit) => {
    if (unit !== "s" || value === 0) return String(Number(value.toPrecision(3)));
    const prefixes = [[1, "s"], [1e-3, "ms"], [1e-6, "\u00b5s"], [1e-9, "ns"]];
    const [factor, name] = prefixes.find(([f]) => Math.abs(value) >= 0.9999999 * f) || prefixes[3];
    return Number((value / factor).toPrecision(3)) + " " + name;
  };

  const element = (name, text, parent) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (parent) parent.append(made);
    return made;
  };

  function live(figure) {
    const data = JSON.parse(figure.querySelector("script.data").textContent);
    const box = figure.querySelector(".live");
    const readout = figure.querySelector(".readout");
    const legend = [...figure.querySelectorAll(".legend label")];
    const kind = (axis) => axis.log ? "log" : "linear";
    const state = { x: kind(data.x), y: kind(data.y), show: data.series.map(() => true) };
    const tip = element("div", "");
    tip.className = "tip";
    tip.hidden = true;
    tip.setAttribute("aria-hidden", "true");
    let plot = null;
    let at = null;

    const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const colour = (i) => getComputedStyle(legend[i].querySelector(".line")).stroke;
    const shape = (i) => new Path2D(legend[i].querySelector(".point").getAttribute("d"));

    /* ---- drawing */

    function marked(u, x, y, draw) {
      u.ctx.save();
      u.ctx.translate(u.valToPos(x, "x", true), u.valToPos(y, "y", true));
      u.ctx.scale(uPlot.pxRatio, uPlot.pxRatio);
      u.ctx.setLineDash([]);
      draw(u.ctx);
      u.ctx.restore();
    }

    function drawPoints(u, s) {
      if (s === 0 || !u.series[s].show) return;
      const path = shape(s - 1);
      u.data[s].forEach((y, i) => y !== null && marked(u, u.data[0][i], y, (ctx) => {
        ctx.fillStyle = data.series[s - 1].dashed ? ink("--paper") : colour(s - 1);
        ctx.strokeStyle = colour(s - 1);
        ctx.lineWidth = 1.4;
        ctx.fill(path);
        ctx.stroke(path);
      }));
    }

    function drawRings(u) {
      if (!data.rings) return;
      u.data[0].forEach((x, i) => {
        const shown = u.data.slice(1).filter((y, s) => u.series[s + 1].show && y[i] !== null).map((y) => y[i]);
        if (shown.length > 0) marked(u, x, Math.min(...shown), (ctx) => {
          ctx.strokeStyle = ink("--quiet");
          ctx.lineWidth = 2;
          ctx.beginPath();
          ctx.arc(0, 0, 9, 0, 2 * Math.PI);
          ctx.stroke();
        });
      });
    }

    /* ---- values under the pointer, or at the place that the arrow keys chose */

    function rows(i) {
      const list = data.series.map((s, k) => ({ k: k, label: s.label, value: s.y[i], text: s.text[i] }))
        .filter((row) => state.show[row.k] && row.value !== null);
      return data.rings ? list.sort((a, b) => a.value - b.value) : list;
    }

    function place(u) {
      const left = u.over.offsetLeft + u.valToPos(data.points[at], "x");
      const right = left + 16 + tip.offsetWidth > box.clientWidth;
      tip.style.left = Math.max(0, right ? left - 16 - tip.offsetWidth : left + 16) + "px";
      tip.style.top = u.over.offsetTop + 8 + "px";
    }

    function tell(u) {
      const i = u.cursor.idx;
      if (i === null || i === undefined || u.cursor.left < 0) {
        tip.hidden = true;
        at = null;
        return;
      }
      if (i === at && !tip.hidden) return;
      at = i;
      tip.replaceChildren();
      element("b", data.names[i], tip);
      const table = element("table", "", tip);
      rows(i).forEach((row) => {
        const line = element("tr", "", table);
        const key = element("td", "", line);
        key.append(legend[row.k].querySelector("svg").cloneNode(true));
        key.className = legend[row.k].className;
        element("td", row.label, line);
        element("td", row.text, line).className = "n";
      });
      const best = data.rings && rows(i)[0];
      const range = best && data.series[best.k].interval && data.series[best.k].interval[i];
      if (range) element("div", "interval of the fastest: " + range, tip);
      tip.hidden = false;
      place(u);
      const values = rows(i).map((row) => row.label + " " + row.text).join("; ");
      readout.textContent = data.names[i] + ": " + (values || "nothing shown");
    }

    function walk(event) {
      const last = data.points.length - 1;
      const to = {
        ArrowRight: at === null ? 0 : Math.min(last, at + 1), ArrowLeft: at === null ? last : Math.max(0, at - 1),
        Home: 0, End: last,
      };
      if (event.key === "Escape") plot.setCursor({ left: -10, top: -10 });
      if (!(event.key in to)) return;
      event.preventDefault();
      plot.setCursor({ left: plot.valToPos(data.points[to[event.key]], "x"), top: plot.over.clientHeight / 2 });
    }

    /* ---- the plot */

    /* Labels that would lie on one another are left out: 7 pixels a letter. */
    function thin(u, marks) {
      let end = -Infinity;
      return marks.map(([v, text]) => {
        const half = 3.5 * text.length + 4, middle = u.valToPos(v, "x");
        if (middle - half < end) return "";
        end = middle + half;
        return text;
      });
    }

    function axis(which, side) {
      const of = data[which];
      const fixed = state[which] === "log" || !of.log; /* the program's tick marks */
      const unit = which === "y" ? data.unit : "";
      const font = "12.5px system-ui, sans-serif";
      const texts = new Map(of.ticks.map((tick, i) => [tick, of.text[i]]));
      const made = {
        side: side, scale: which, label: of.label, labelSize: 22, stroke: ink("--ink"), font: font, labelFont: font,
        grid: { stroke: ink("--rule"), width: 1 }, ticks: { stroke: ink("--rule"), width: 1 },
        values: (u, ticks) => ticks.map((v) => texts.get(v) || (fixed ? "" : number(v, unit))),
      };
      if (which === "x") made.values = (u, ticks) => thin(u, ticks.map((v) => [v, texts.get(v) || (fixed ? "" : number(v, unit))]));
      if (fixed) made.splits = () => of.ticks;
      if (fixed) made.filter = (u, splits) => splits;
      made.size = which === "y" ? 66 : 32;
      return made;
    }

    function scales() {
      const pad = state.x === kind(data.x) ? 0 : (data.x.hi - data.x.lo) * 0.02;
      const linear = (lo, hi) => [Math.min(0, lo || 0), hi > 0 ? 1.08 * hi : 1];
      return {
        x: { time: false, distr: state.x === "log" ? 3 : 1, log: 2, range: () => [data.x.lo - pad, data.x.hi + pad] },
        y: {
          distr: state.y === "log" ? 3 : 1, log: 10,
          range: (u, lo, hi) => state.y === "log" ? [data.y.lo, data.y.hi] : linear(lo, hi),
        },
      };
    }

    function build() {
      const usable = (y) => y !== null && (state.y === "linear" || y > 0) ? y : null;
      if (plot) plot.destroy();
      at = null;
      tip.hidden = true;
      plot = new uPlot({
        width: Math.max(240, box.clientWidth), height: 380, legend: { show: false }, padding: [12, 14, 0, 0],
        cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
        scales: scales(), axes: [axis("x", 2), axis("y", 3)],
        series: [{}].concat(data.series.map((s, i) => ({
          label: s.label, scale: "y", stroke: colour(i), width: 2, dash: s.dashed ? [7, 4] : [],
          points: { show: false }, show: state.show[i],
        }))),
        hooks: { drawSeries: [drawPoints], draw: [drawRings], setCursor: [tell] },
      }, [data.points].concat(data.series.map((s) => s.y.map(usable))), box);
      box.append(tip);
    }

    /* ---- switches */

    function show(i, on) {
      state.show[i] = on;
      legend[i].querySelector("input").checked = on;
      plot.setSeries(i + 1, { show: on });
    }

    function connect() {
      legend.forEach((label, i) => {
        const input = label.querySelector("input");
        input.hidden = false;
        input.checked = true;
        input.addEventListener("change", () => show(i, input.checked));
      });
      figure.querySelectorAll("input[data-axis]").forEach((input) => {
        input.checked = input.value === state[input.dataset.axis];
        input.addEventListener("change", () => {
          state[input.dataset.axis] = input.value;
          build();
        });
      });
      figure.querySelectorAll("button[data-show]").forEach((button) =>
        button.addEventListener("click", () => data.series.forEach((s, i) => show(i, button.dataset.show === "all"))));
      box.addEventListener("keydown", walk);
      box.addEventListener("blur", () => plot.setCursor({ left: -10, top: -10 }));
      const again = () => figure.isConnected && build(); /* a figure may have been taken out of its page */
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
      addEventListener("dppxchange", again); /* uPlot's word for a window that came to a finer screen, or was zoomed */
      new ResizeObserver(() => {
        const width = Math.max(240, box.clientWidth);
        if (box.clientWidth > 0 && width !== plot.width) plot.setSize({ width: width, height: 380 });
      }).observe(box);
    }

    box.hidden = false;
    figure.querySelector(".switches").hidden = false;
    build();
    connect();
    figure.querySelector(".hint").hidden = false;
    figure.querySelector(".picture").hidden = true;
  }

  const start = (root) => root.querySelectorAll("figure").forEach(live);
  start(document);
  document.addEventListener("figures", (event) => start(event.target)); /* for pages that bring figures in later */
  document.documentElement.dataset.live = document.querySelectorAll("figure").length;
})();
