"use strict";
// Curves with bands: hover shows value, n and interval, drag zooms, a double click shows
// all, a click on a name shows only that curve, and the address keeps the state.

const inks = ["blue", "vermilion", "green", "purple", "orange", "sky", "black"];
// nameOf is a curve's name, with that of its run where several are compared.
const nameOf = c => c.run ? el("bdi", {}, said(c.own), " · ", bdi(c.run)) : said(c.name);

const ink = name => getComputedStyle(document.documentElement).getPropertyValue("--fig-" + name).trim();
const dashes = [[], [7, 4], [2, 3], [10, 3, 2, 3], [1, 6]]; // with the inks: 35 different curves
// A curve has the colour of its place, with dashes beyond the last colour; curves of several runs have the run's.
const curveInk = (i, c) => ink(inks[(c?.ink ?? i) % inks.length]), curveDash = (i, c) => dashes[(Math.floor((c?.ink ?? i) / inks.length) + (c?.dash ?? 0)) % dashes.length];

// stroked is the colour of a curve with its dashes, for a legend.
function stroked(i, c) {
  let at = 0;
  const colour = curveInk(i, c), stops = curveDash(i, c).map((long, i) => `${i % 2 ? "transparent" : colour} ${at}px ${at += long}px`);
  return stops.length ? `repeating-linear-gradient(90deg, ${stops.join(", ")})` : colour;
}

const maxBands = 6; // more hide each other

// merge puts curves of different x on one axis.
function merge(curves) {
  const xs = [...new Set(curves.flatMap(c => c.x))].sort((a, b) => a - b);
  const at = new Map(xs.map((x, i) => [x, i]));
  const spread = (c, values) => {
    const out = new Array(xs.length).fill(undefined); // undefined joins, null is a gap
    if (values) c.x.forEach((x, i) => { out[at.get(x)] = values[i]; });
    return out;
  };
  return {xs, spread};
}

class Chart {
  constructor(root, key) {
    this.key = key;
    this.shown = seen.get()[key + ".only"]?.split("\u0001") ?? null;
    this.log = seen.get()[key + ".log"] === "1";
    this.title = el("h2");
    this.tools = el("div", {class: "bar"});
    this.plot = el("div", {class: "plot", tabindex: 0, role: "application", "aria-roledescription": "chart", onkeydown: e => this.step(e)});
    this.keys = el("div", {class: "keys", role: "group", "aria-label": "Curves"});
    this.note = el("p", {class: "note"});
    this.tip = el("div", {class: "tip", role: "status", hidden: true});
    this.root = el("section", {class: "chart"}, this.title, this.plot, this.keys, this.tools, this.note, this.tip);
    root.append(this.root);
    new ResizeObserver(() => this.u && this.u.setSize(this.size())).observe(this.plot);
    for (const media of ["(prefers-color-scheme: dark)", "print"]) matchMedia(media).addEventListener("change", () => this.draw());
  }

  size() { return {width: Math.max(this.plot.clientWidth, 200), height: 320}; }

  set(data) {
    const same = this.data && JSON.stringify(this.data.curves.map(c => c.name)) === JSON.stringify(data.curves.map(c => c.name));
    this.data = data;
    this.title.textContent = data.title;
    this.plot.setAttribute("aria-label", data.title + ". Arrow keys read the points, Escape shows all.");
    if (!same || !this.u) { this.draw(); return; }
    this.u.setData(this.table(), !this.zoomed);
    if (this.zoomed) this.u.setScale("x", this.zoomed);
  }

  table() {
    const {xs, spread} = merge(this.data.curves);
    const cols = [xs];
    for (const c of this.data.curves) cols.push(spread(c, c.y), spread(c, c.low), spread(c, c.high));
    for (const b of this.data.bounds ?? []) cols.push(xs.map(() => b.y));
    return cols;
  }

  isShown(name) { return !this.shown || this.shown.includes(name); }

  draw() {
    if (!this.data) return;
    if (this.u) this.u.destroy();
    const series = [{}], bands = [], few = this.data.curves.filter(c => this.isShown(c.name)).length <= maxBands;
    this.note.textContent = this.data.note + (few || !this.data.curves[0].low ? "" : " Choose a curve to see its band.");
    this.data.curves.forEach((c, i) => {
      const stroke = curveInk(i, c), dash = curveDash(i, c), show = this.isShown(c.name), at = 1 + 3 * i;
      series.push({label: c.name, stroke, dash, width: 2, show, spanGaps: true, points: {show: c.x.length < 3}});
      series.push({stroke: "transparent", show: show && few && !!c.low, spanGaps: true, points: {show: false}}, {stroke: "transparent", show: show && few && !!c.high, spanGaps: true, points: {show: false}});
      if (c.low) bands.push({series: [at + 2, at + 1], fill: stroke + "26"});
    });
    for (const b of this.data.bounds ?? []) series.push({label: b.name, stroke: ink("pale"), dash: [3, 4], width: 1.5, points: {show: false}});
    const axis = label => ({label, stroke: ink("soft"), grid: {stroke: ink("grid"), width: 1}, ticks: {stroke: ink("grid"), width: 1}, font: "12px 'Liberation Sans', Arial, sans-serif", labelFont: "12px 'Liberation Sans', Arial, sans-serif", labelSize: 20});
    this.u = new uPlot({
      ...this.size(), series, bands, legend: {show: false},
      // A logarithmic scale would by itself go on to the next power of ten.
      scales: {y: {range: (u, min, max) => this.heights(u, min, max)}, x: {time: false, distr: this.log ? 3 : 1, ...(this.log && {range: (u, min, max) => min < max ? [min, max] : [0.9 * min, 1.1 * max]})}},
      axes: [axis(language.of(this.data.xlabel)), {...axis(language.of(this.data.ylabel)), size: 62}],
      cursor: {drag: {x: true, y: false, dist: 5}, focus: {prox: 24}, points: {size: 7}, sync: {key: "page", scales: ["x", null], setSeries: false, filters: {pub: type => type === "mousemove" || type === "mouseleave", sub: () => true}}},
      hooks: {
        draw: [u => series.forEach((s, at) => { // the band of a single point is its interval
          if (!(s.show && s.points.show) || u.data[at].length > 1) return;
          const [x, lo, hi] = [u.valToPos(u.data[0][0], "x", true), ...[at + 1, at + 2].map(k => u.data[k][0])];
          if (!u.series[at + 1].show || typeof lo !== "number" || typeof hi !== "number") return;
          u.ctx.fillStyle = s.stroke;
          u.ctx.fillRect(x, u.valToPos(hi, "y", true), 2, u.valToPos(lo, "y", true) - u.valToPos(hi, "y", true));
        }), u => this.cuts().forEach(({sign, from, to, stroke}) => { // an arrow at the edge
          const x = (u.valToPos(from, "x", true) + u.valToPos(to, "x", true)) / 2, {left, top, width, height} = u.bbox, size = 5 * devicePixelRatio;
          const at = Math.min(Math.max(x, left + size), left + width - size), edge = sign > 0 ? top : top + height;
          u.ctx.fillStyle = stroke;
          u.ctx.beginPath();
          for (const [dx, dy] of [[0, 0], [-size, 1.6 * size], [size, 1.6 * size]]) u.ctx.lineTo(at + dx, edge + sign * dy);
          u.ctx.fill();
        })],
        setCursor: [u => this.hover(u)],
        setSelect: [u => this.zoomTo(u.select.width > 0 ? {min: u.posToVal(u.select.left, "x"), max: u.posToVal(u.select.left + u.select.width, "x")} : null)],
      },
    }, this.table(), this.plot);
    this.u.over.addEventListener("dblclick", () => this.zoomTo(null));
    this.u.over.addEventListener("mouseleave", () => { this.tip.hidden = true; });
    const zoom = seen.get()[this.key + ".x"];
    if (zoom) {
      const [min, max] = zoom.split("~").map(Number);
      if (max > min) { this.zoomed = {min, max}; this.u.setScale("x", this.zoomed); }
    }
    this.legend();
    this.controls();
  }

  // heights is the range of values: of all lines and, where there are bands, of the later
  // half of each, since the first points' bands would flatten the rest.
  heights(u, min, max) {
    const [first, last] = u.series[0].idxs ?? [], bands = 3 * this.data.curves.length;
    if (this.data.curves.some(c => c.low) && last > first) {
      const all = u.series.flatMap((s, i) => {
        if (!i || !s.show) return [];
        const list = u.data[i].slice(first, last + 1).filter(y => typeof y === "number");
        return i <= bands && i % 3 !== 1 ? list.slice(list.length >> 1) : list;
      });
      min = all.reduce((a, b) => Math.min(a, b), Infinity);
      max = all.reduce((a, b) => Math.max(a, b), -Infinity);
    }
    return min === null || min > max ? [0, 1] : uPlot.rangeNum(min, max, 0.1, true);
  }

  // cuts lists where the bands that are shown go on beyond the frame: first and last x, and the sign of the edge.
  cuts() {
    const {x: {min, max}, y} = this.u.scales, shown = this.data.curves.filter(c => c.low && this.isShown(c.name));
    return shown.length > maxBands ? [] : shown.flatMap(c => [[1, c.high], [-1, c.low]].flatMap(([sign, ends]) => {
      const xs = c.x.filter((x, i) => x >= min && x <= max && ends[i] !== null && (sign > 0 ? ends[i] > y.max : ends[i] < y.min));
      return xs.length ? [{sign, from: xs[0], to: xs.at(-1), stroke: curveInk(this.data.curves.indexOf(c), c)}] : [];
    }));
  }

  // step reads the curves point by point, with the crosshair of all charts.
  step(e) {
    const u = this.u, xs = u?.data[0] ?? [], {min, max} = u?.scales.x ?? {}, first = xs.findIndex(x => x >= min), last = xs.findLastIndex(x => x <= max);
    const near = u?.cursor.idx ?? last;
    const to = {ArrowLeft: near - 1, ArrowRight: u?.cursor.left >= 0 ? near + 1 : near, Home: first, End: last}[e.key];
    if (e.key === "Escape") { this.zoomTo(null); this.draw(); }
    if (to === undefined || first < 0) return;
    e.preventDefault();
    const i = Math.min(last, Math.max(first, to)), c = this.data.curves.findIndex(c => this.isShown(c.name)), y = u.data[1 + 3 * Math.max(0, c)][i];
    u.setCursor({left: u.valToPos(xs[i], "x"), top: u.valToPos(y ?? u.scales.y.min, "y")}, true, true);
  }

  zoomTo(range) {
    this.zoomed = range;
    seen.set({[this.key + ".x"]: range ? `${Number(range.min.toPrecision(5))}~${Number(range.max.toPrecision(5))}` : ""});
  }

  // hover tells the curve next to the pointer.
  hover(u) {
    const {left, top, idx} = u.cursor;
    if (idx === null || idx === undefined || left < 0) { this.tip.hidden = true; return; }
    let best = null;
    this.data.curves.forEach((c, i) => {
      if (!this.isShown(c.name)) return;
      const near = nearest(c.x, u.data[0][idx]), y = u.data[1 + 3 * i][u.data[0].indexOf(c.x[near])];
      if (y === null || y === undefined) return;
      const far = Math.abs(u.valToPos(y, "y") - top);
      if (!best || far < best.far) best = {c, i: near, y, far};
    });
    if (!best) { this.tip.hidden = true; return; }
    const {c, i, y} = best;
    const lines = [el("b", {}, nameOf(c)), el("br"), `${number(y)} at ${count(c.x[i])} ${this.data.xlabel}`];
    if (c.low && c.low[i] !== null && c.high[i] !== null) lines.push(el("br"), `from ${number(c.low[i])} to ${number(c.high[i])}`);
    if (c.n) lines.push(el("br"), `n = ${count(c.n[i])} pairs`);
    this.tip.replaceChildren(...lines);
    this.tip.hidden = false;
    const box = this.plot.offsetLeft + u.over.offsetLeft, wide = this.tip.offsetWidth;
    this.tip.style.left = Math.min(Math.max(0, box + left + 14), Math.max(0, this.root.clientWidth - wide)) + "px";
    this.tip.style.top = Math.max(0, this.plot.offsetTop + top - this.tip.offsetHeight - 12) + "px";
  }

  legend() {
    this.keys.replaceChildren(...(this.data.curves.length < 2 && this.data.curves[0]?.name === "A against B" ? [] : this.data.curves.map((c, i) =>
      el("button", {type: "button", "aria-pressed": String(this.isShown(c.name)), title: "show this curve alone; again for all; with Ctrl one more or less", onclick: e => this.isolate(c.name, e.ctrlKey || e.metaKey || e.shiftKey)},
        el("i", {style: "background:" + stroked(i, c)}), nameOf(c)))));
  }

  isolate(name, more) {
    const all = this.data.curves.map(c => c.name);
    if (more) {
      const now = this.shown ?? all;
      this.shown = now.includes(name) ? now.filter(n => n !== name) : [...now, name];
      if (!this.shown.length || this.shown.length === all.length) this.shown = null;
    } else {
      this.shown = this.shown && this.shown.length === 1 && this.shown[0] === name ? null : [name];
    }
    seen.set({[this.key + ".only"]: this.shown ? this.shown.join("\u0001") : ""});
    const at = all.indexOf(name);
    this.draw();
    this.keys.children[at]?.focus();
  }

  controls() {
    const tools = [];
    tools.push(this.toggle("log x", "log", on => seen.set({[this.key + ".log"]: on ? "1" : ""})));
    tools.push(el("button", {type: "button", onclick: () => { this.zoomTo(null); this.draw(); }}, "Show all"));
    tools.push(el("button", {type: "button", onclick: () => save(this.key + ".csv", "text/csv", this.csv())}, "CSV"));
    tools.push(el("button", {type: "button", onclick: () => save(this.key + ".svg", "image/svg+xml", this.picture())}, "SVG"));
    tools.push(el("button", {type: "button", onclick: async () => save(this.key + ".png", "image/png", await this.dots())}, "PNG"));
    this.tools.replaceChildren(...tools);
  }

  toggle(text, field, then) {
    return el("button", {type: "button", "aria-pressed": String(this[field]), onclick: () => {
      this[field] = !this[field];
      then(this[field]);
      this.draw();
      [...this.tools.querySelectorAll("button")].find(b => b.textContent === text)?.focus();
    }}, text);
  }

  csv() {
    const quote = t => /[",\n]/.test(t) ? '"' + t.replaceAll('"', '""') + '"' : t;
    const lines = [["curve", this.data.xlabel, this.data.ylabel, "low", "high", "n"].map(quote).join(",")];
    for (const c of this.data.curves) {
      if (!this.isShown(c.name)) continue;
      c.x.forEach((x, i) => {
        if (this.zoomed && (x < this.zoomed.min || x > this.zoomed.max)) return;
        lines.push([quote(c.name), x, c.y[i] ?? "", c.low?.[i] ?? "", c.high?.[i] ?? "", c.n?.[i] ?? ""].join(","));
      });
    }
    return lines.join("\n") + "\n";
  }

  // picture draws what is seen as a document of its own.
  picture() {
    const u = this.u, w = this.size().width, clean = t => String(t).replace(/[\u0000-\u001f]/g, " ");
    const box = {l: u.over.offsetLeft, t: u.over.offsetTop + 8, w: u.over.clientWidth, h: u.over.clientHeight}, curves = [...this.data.curves.entries()].filter(([, c]) => this.isShown(c.name));
    const wide = 60 + 7 * Math.max(...curves.map(([, c]) => c.name.length)), columns = Math.max(1, Math.floor(box.w / wide)), h = box.t + box.h + 50 + 18 * Math.ceil(curves.length / columns); // names below
    const root = svg("svg", {xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${w} ${h}`, width: w, height: h, "font-family": "Liberation Sans, Arial, sans-serif", "font-size": 12});
    root.append(svg("rect", {width: w, height: h, fill: ink("paper")}), svg("clipPath", {id: "c"}, svg("rect", {x: box.l, y: box.t, width: box.w, height: box.h})));
    const text = (x, y, s, anchor = "middle") => { const t = svg("text", {x, y, "text-anchor": anchor, fill: ink("soft")}); t.textContent = clean(s); root.append(t); };
    for (const [axis, scale] of [[0, "x"], [1, "y"]]) {
      for (const [k, v] of u.axes[axis]._splits.entries()) {
        const at = u.valToPos(v, scale), label = u.axes[axis]._values[k];
        if (!label) continue; // of a logarithm most are not written
        axis === 0 ? text(box.l + at, box.t + box.h + 16, label) : text(box.l - 6, box.t + at + 4, label, "end");
        root.append(svg("path", {d: axis === 0 ? `M${box.l + at} ${box.t}v${box.h}` : `M${box.l} ${box.t + at}h${box.w}`, stroke: ink("grid")}));
      }
    }
    const shape = svg("g", {"clip-path": "url(#c)", fill: "none"});
    const path = (xs, ys) => xs.map((x, i) => ys[i] === null || ys[i] === undefined ? "" : `${(box.l + u.valToPos(x, "x")).toFixed(1)} ${(box.t + u.valToPos(ys[i], "y")).toFixed(1)}`).filter(Boolean);
    for (const b of this.data.bounds ?? []) shape.append(svg("path", {d: `M${box.l} ${box.t + u.valToPos(b.y, "y")}h${box.w}`, stroke: ink("pale"), "stroke-dasharray": "3 4"}));
    curves.forEach(([i, c], k) => {
      const stroke = curveInk(i, c), look = {stroke, "stroke-width": 2, "stroke-dasharray": curveDash(i, c).join(" ") || "none"}, left = box.l + k % columns * wide, down = box.t + box.h + 58 + 18 * Math.floor(k / columns);
      if (c.low && curves.length <= maxBands) shape.append(svg("path", {d: "M" + path(c.x, c.low).concat(path([...c.x].reverse(), [...c.high].reverse())).join("L") + "Z", fill: stroke, "fill-opacity": 0.15, ...(c.x.length === 1 && {stroke, "stroke-width": 2})}));
      const line = path(c.x, c.y);
      if (line.length) shape.append(svg("path", {d: "M" + line.join("L"), ...look}));
      if (line.length < 3) for (const at of line) shape.append(svg("circle", {cx: at.split(" ")[0], cy: at.split(" ")[1], r: 3, fill: stroke}));
      root.append(svg("path", {d: `M${left} ${down - 4}h30`, ...look}));
      text(left + 36, down, c.name, "start");
    });
    root.append(shape);
    for (const {sign, from, to, stroke} of this.cuts()) {
      const at = box.l + (u.valToPos(from, "x") + u.valToPos(to, "x")) / 2, edge = sign > 0 ? box.t : box.t + box.h;
      root.append(svg("path", {d: `M${at} ${edge}l-5 ${8 * sign}h10Z`, fill: stroke}));
    }
    text(box.l + box.w / 2, box.t + box.h + 34, this.data.xlabel);
    text(box.l, 12, `${this.data.title}: ${this.data.ylabel}`, "start");
    return new XMLSerializer().serializeToString(root);
  }

  // dots is the picture with two dots a pixel, as a file.
  async dots() {
    const image = new Image();
    image.src = "data:image/svg+xml," + encodeURIComponent(this.picture());
    await image.decode();
    const canvas = el("canvas", {width: 2 * image.width, height: 2 * image.height});
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise(done => canvas.toBlob(done));
  }
}

function nearest(xs, x) {
  let lo = 0, hi = xs.length - 1;
  while (hi - lo > 1) { const mid = (lo + hi) >> 1; xs[mid] < x ? lo = mid : hi = mid; }
  return Math.abs(xs[lo] - x) <= Math.abs(xs[hi] - x) ? lo : hi;
}

// Charts keeps one chart for every id.
class Charts {
  constructor(root) { this.root = root; this.list = new Map(); }
  set(charts) {
    if (charts.length && !this.list.size) this.root.replaceChildren(); // what kept room for them
    for (const data of charts) {
      if (!this.list.has(data.id)) this.list.set(data.id, new Chart(this.root, data.id));
      this.list.get(data.id).set(data);
    }
  }
}
