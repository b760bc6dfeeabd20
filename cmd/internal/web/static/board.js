"use strict";
// A board to look at, walk through and play on.

// table asks the server about a position.
async function table(question, signal, waits) {
  return ask("data/table", {method: "POST", body: JSON.stringify(question), signal, waits});
}

// gameList are the games and the boards on which they begin. They are made with the page,
// so that it shows a board before the server answers.
let known;
const gameList = () => known ??= fetch(assets + "games.json").then(answer => answer.json());

// besides tells whoever waits with how many searches this one shares the processors.
const besides = n => n ? ` ${n} other ${n === 1 ? "search is" : "searches are"} running.` : "";

const unit = 40; // of a drawing, from place to place

// scoreOf is a decision's score for the side to move, on the scale of the fitted chances:
// infinite if proven, log-odds if it is a chance.
const scoreOf = (d, chance) => d.mate ? d.mate * Infinity : chance ? Math.log(d.score / (1 - d.score)) : Number(d.score.replace?.("Inf", "Infinity") ?? d.score);
const chanceOf = (score, slope) => 1 / (1 + Math.exp(-slope * score));

// Worth is the bar that shows the first side's chance to win.
class Worth {
  constructor() {
    this.root = el("div", {class: "worth", role: "meter", "aria-label": "Evaluation", "aria-valuemin": 0, "aria-valuemax": 100}, el("i"));
    this.set(null);
  }
  set(chance, says = "") {
    const percent = Math.round(100 * (chance ?? 0.5));
    this.root.style.visibility = chance === null ? "hidden" : "";
    this.root.firstChild.style.width = percent + "%";
    this.root.setAttribute("aria-valuenow", percent);
    this.root.setAttribute("aria-valuetext", says);
    this.root.title = says;
  }
}

// moving reports whether pictures may move here.
const moving = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;
const glide = 170; // milliseconds of a move

// sound makes a short tone, if the reader has switched sounds on.
const sound = {
  get on() { return kept.get("sound", false); },
  play(...tones) {
    if (!this.on) return;
    const ctx = this.ctx ??= new AudioContext();
    tones.forEach((hertz, i) => {
      const tone = ctx.createOscillator(), loud = ctx.createGain(), at = ctx.currentTime + 0.12 * i;
      tone.frequency.value = hertz;
      tone.type = "triangle";
      loud.gain.setValueAtTime(0.12, at);
      loud.gain.exponentialRampToValueAtTime(0.001, at + 0.1);
      tone.connect(loud).connect(ctx.destination);
      tone.start(at);
      tone.stop(at + 0.11);
    });
  },
};

// keysHelp shows what the keyboard does.
function keysHelp() {
  const part = (title, ...rows) => [el("h2", {}, title), el("dl", {}, ...rows.flatMap(([key, does]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, does)]))];
  const box = el("dialog", {class: "keys", "aria-label": "Keyboard", onclose: () => box.remove()},
    ...part("On the board", ["← → ↑ ↓", "move the cursor"], ["Enter", "choose the place under the cursor, or confirm the move"], ["Escape", "take back a move that is not complete"], ["w", "in Quoridor: auto, wall —, wall |, step"]),
    ...part("In a replay", ["← →", "one move back or on"], ["Home", "to the start"], ["End", "to the end"], ["f", "turn the board"]),
    ...part("Everywhere", ["Tab", "to the next button"], ["?", "this help"]),
    el("form", {method: "dialog"}, el("button", {type: "submit"}, "Close")));
  document.body.append(box);
  box.showModal();
}
addEventListener("keydown", e => { if (e.key === "?" && !typing() && !$("dialog[open]")) keysHelp(); });

class Board {
  // handlers: {move(text), wrong(text), say(text)}; none for a board to look at.
  constructor(handlers) {
    this.handlers = handlers;
    this.root = el("div", {class: "boardbox", tabindex: 0, role: "group", "aria-label": "Board"});
    this.flipped = false;
    this.confirm = false;
    this.mode = "";      // of Quoridor: "" by position, else "step", "h", "v"
    this.chosen = [];    // places touched so far for a move of several steps
    this.pending = null; // a move that waits to be confirmed
    if (!handlers) return;
    this.root.addEventListener("click", e => this.click(e));
    this.root.addEventListener("pointerdown", e => this.grip(e));
    this.root.addEventListener("pointermove", e => { if (!this.carry(e) && e.pointerType === "mouse") this.hover(e); });
    this.root.addEventListener("touchmove", e => { if (this.held) e.preventDefault(); }, {passive: false}); // else the page scrolls
    this.root.addEventListener("pointerup", e => this.drop(e));
    this.root.addEventListener("pointercancel", () => { if (this.held?.lifted) this.cancel(); this.held = null; }); // the page scrolls
    this.root.addEventListener("pointerleave", () => { this.over = this.aim = null; this.overlay(); });
    this.root.addEventListener("keydown", e => { delete this.root.dataset.quiet; this.key(e); });
    this.root.addEventListener("blur", () => { delete this.root.dataset.quiet; });
  }

  show(shown, playing = false) {
    this.close();
    const was = this.shown, old = this.svg;
    this.shown = shown;
    this.playing = playing && shown.legal.length > 0;
    this.chosen = [];
    this.pending = this.over = this.aim = this.held = null;
    this.barred = "";
    this.weighed = [];   // candidates of a player here, the best first
    this.root.innerHTML = shown.svg; // drawn and escaped by this program
    this.svg = $("svg", this.root);
    const first = $(".b-target", this.svg), p = shown.places[0];
    this.x0 = Number(first.getAttribute("x")) + unit / 2 - unit * p.x;
    this.y0 = Number(first.getAttribute("y")) + unit / 2 - unit * p.y;
    if (this.plain) { // what the line below the board says stands around it
      const less = 2.3 * Number(this.svg.getAttribute("font-size")), plate = $("rect", this.svg), {width, height} = this.svg.viewBox.baseVal;
      this.svg.setAttribute("viewBox", `0 0 ${width} ${height - less}`);
      plate.setAttribute("height", plate.height.baseVal.value - less);
    }
    this.layer = this.svg.appendChild(svg("g"));
    this.hand = this.svg.appendChild(svg("g", {class: "hand"})); // the man that is dragged
    this.turn();
    if (this.playing) this.svg.querySelectorAll(".b-target").forEach((e, i) => e.classList.toggle("movable", this.leaving(shown.places[i]).length > 0));
    this.overlay();
    if (was?.game === shown.game && Math.abs(was.ply - shown.ply) === 1 && moving()) this.animate(was, old);
    this.landed = null;
  }

  // animate leads from the position before or after: pieces glide, appear and vanish.
  animate(was, old) {
    const key = p => [p.side, p.letter, p.x, p.y].join(), had = new Set(was.pieces?.map(key)), has = new Set(this.shown.pieces?.map(key));
    const men = this.svg.querySelectorAll("[data-side]"), before = old.querySelectorAll("[data-side]"), go = (e, frames) => e?.animate(frames, {duration: glide, easing: "ease-out"});
    const gone = (was.pieces ?? []).map((p, i) => ({p, man: before[i]})).filter(({p}) => !has.has(key(p)));
    this.shown.pieces?.forEach((p, i) => {
      if (had.has(key(p))) return;
      const from = gone.findIndex(q => q.p.side === p.side && (!q.p.letter || q.p.letter === p.letter)), [dx, dy] = from >= 0 ? (({p: q}) => [q.x - p.x, q.y - p.y])(gone.splice(from, 1)[0]) : this.shown.kind === "rack" ? [0, -p.y - 1] : [0, 0];
      if (!this.landed || !same(p, this.landed)) go(men[i], dx || dy ? {transform: [`translate(${unit * dx}px, ${unit * dy}px)`, "none"]} : {opacity: [0, 1]});
    });
    for (const {man} of gone) {
      man.removeAttribute("data-side");
      this.svg.insertBefore(man, this.layer);
      go(man, {opacity: [1, 0]}).onfinish = () => man.remove();
    }
    if (this.shown.last?.wall && was.ply < this.shown.ply) go($("rect.b-f-last", this.svg), {opacity: [0, 1]});
  }

  // ready takes the keyboard; that shows once a key is pressed.
  ready() { this.root.dataset.quiet = ""; this.root.focus({preventScroll: true}); }

  flip() { this.flipped = !this.flipped; this.turn(); }
  // turn turns the board, but not its figures.
  turn() {
    this.root.classList.toggle("flipped", this.flipped);
    for (const path of this.svg?.querySelectorAll("[data-side] path") ?? []) path.setAttribute("transform", path.getAttribute("transform").replace(/( rotate\(180\))?$/, this.flipped ? " rotate(180)" : ""));
  }
  spot(at) { return [this.x0 + unit * at.x, this.y0 + unit * at.y]; }
  // bar is a wall as a rectangle.
  bar(w) {
    const [x1, y1] = this.spot({x: w.x1, y: w.y1}), [x2, y2] = this.spot({x: w.x2, y: w.y2}), level = w.y1 === w.y2;
    return {x: Math.min(x1, x2) - (level ? 0 : 3), y: Math.min(y1, y2) - (level ? 3 : 0), width: level ? Math.abs(x2 - x1) : 6, height: level ? 6 : Math.abs(y2 - y1), rx: 3};
  }
  place(x, y) { return this.shown.places.find(p => p.x === x && p.y === y); }

  // under is where an event points, in units of places.
  under(e) {
    const at = new DOMPoint(e.clientX, e.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return {x: (at.x - this.x0) / unit, y: (at.y - this.y0) / unit};
  }

  // target is the place or wall under the pointer.
  target({x, y}) {
    if (this.shown.kind === "rooms" && this.mode !== "step") {
      const fx = Math.abs(x - Math.round(x)), fy = Math.abs(y - Math.round(y));
      const gap = fx > 0.4 || fy > 0.4;
      if (this.mode || gap) return {wall: this.wallAt(x, y, this.mode || (fy > fx ? "h" : "v"))};
    }
    const near = this.shown.places.map(p => ({p, d: Math.hypot(p.x - x, p.y - y)})).sort((a, b) => a.d - b.d)[0];
    return near && near.d < 0.75 ? {place: near.p} : {};
  }

  // wallAt is the nearest wall of a direction.
  wallAt(x, y, way) {
    const {width: w, height: h} = this.shown, inside = (v, n) => Math.min(n - 1.5, Math.max(0.5, Math.floor(v) + 0.5));
    const mx = inside(x, w), my = inside(y, h);
    return way === "h" ? {x1: mx - 1, y1: my, x2: mx + 1, y2: my, way} : {x1: mx, y1: my - 1, x2: mx, y2: my + 1, way};
  }
  wallText(w) { return this.place((w.x1 + w.x2) / 2 - 0.5, (w.y1 + w.y2) / 2 + 0.5).name + w.way; }

  // leaving lists the legal moves of the piece on a place.
  leaving(place) {
    const only = this.shown.kind === "rooms"; // a side has one pawn: its moves need no start
    return pieceAt(this.shown, place)?.side !== this.shown.turn ? [] : this.shown.legal.filter(l => l.steps && (only || l.steps.length > 1 && same(l.steps[0], place)));
  }

  // grip, carry and drop move a piece by dragging it, in every game whose pieces move.
  grip(e) {
    this.dropped = false;
    this.held = null;
    if (!this.playing || !e.isPrimary || e.button || this.asks || this.mode === "h" || this.mode === "v" || this.capturing()) return;
    const place = this.square(e, this.shown.kind === "rooms" ? 0.4 : 0.5);
    if (!place || !this.leaving(place).length) return;
    this.held = {place, id: e.pointerId, x: e.clientX, y: e.clientY};
    this.root.setPointerCapture(e.pointerId); // also of a move that begins beside the board
  }
  // square is the place whose square is under the pointer; none beside the board.
  square(e, reach = 0.5) {
    const at = this.under(e);
    return this.shown.places.find(p => Math.abs(p.x - at.x) < reach && Math.abs(p.y - at.y) < reach);
  }

  carry(e) {
    const {held} = this;
    if (held?.id !== e.pointerId) return false;
    if (!held.lifted) {
      if (Math.hypot(e.clientX - held.x, e.clientY - held.y) < 5) return true;
      held.lifted = true;
      this.pending = this.over = null;
      this.chosen = this.shown.kind === "rooms" ? [] : [{x: held.place.x, y: held.place.y}];
      const man = this.svg.querySelectorAll("[data-side]")[this.shown.pieces.findIndex(q => same(q, held.place))], copy = man.cloneNode(true);
      copy.removeAttribute("data-side");
      man.classList.add("lifted");
      this.hand.replaceChildren(copy);
    }
    const at = this.under(e);
    this.carried(at);
    this.aim = this.square(e) ?? null;
    this.overlay();
    return true;
  }
  carried(at) { const {place} = this.held; this.hand.firstChild.setAttribute("transform", `translate(${unit * (at.x - place.x)} ${unit * (at.y - place.y)})`); }

  drop(e) {
    const {held} = this, place = held?.lifted && this.square(e);
    if (!held?.lifted) { this.held = null; return; } // a click follows
    this.dropped = true;
    this.finger = this.sent = false;
    this.aim = null;
    if (!place) this.chosen = [];
    else if (!same(place, held.place)) this.next(place).length ? this.touch({place}) : this.refuse(place);
    if (this.sent) { this.landed = place; this.carried(place); this.held = null; } else this.release();
    this.overlay();
  }

  // release puts back the man that is dragged.
  release() {
    this.held = null;
    this.hand.replaceChildren();
    this.svg.querySelector(".lifted")?.classList.remove("lifted");
  }

  click(e) {
    if (this.dropped) { this.dropped = false; return; } // the end of a drag
    if (e.target.closest(".choices")) return;
    if (this.asks) { this.cancel(); return; }
    if (!this.playing) { this.handlers.idle?.(); return; }
    this.finger = e.pointerType === "touch";
    const at = this.under(e), waits = this.pending && this.shown.legal.find(l => l.move === this.pending)?.wall;
    if (waits && onWall(waits, at)) this.commit(); else this.touch(this.target(at));
  }

  hover(e) {
    if (!this.playing) return;
    const t = this.target(this.under(e));
    this.over = t.wall ?? null;
    this.aim = t.place ?? null;
    this.overlay();
  }

  legalWall(w) { return this.shown.legal.find(l => l.wall && Math.abs(l.wall.x1 + l.wall.x2 - w.x1 - w.x2) < 0.1 && Math.abs(l.wall.y1 + l.wall.y2 - w.y1 - w.y2) < 0.1 && (l.wall.y1 === l.wall.y2) === (w.y1 === w.y2)); }

  // open lists the legal moves that begin with the chosen places.
  open() { return this.shown.legal.filter(l => !l.wall && this.chosen.every((c, i) => l.steps?.[i] && same(l.steps[i], c))); }

  touch({place, wall}) {
    if (wall) {
      const l = this.legalWall(wall), text = this.wallText(wall), first = this.finger && this.barred !== text;
      if (l && l.move === this.pending) { this.commit(); return; }
      this.pending = null;
      this.over = wall;
      this.barred = l ? "" : text;
      l ? this.propose(l.move) : this.handlers.wrong(text, first);
      this.overlay();
      return;
    }
    if (!place) return;
    this.over = null;
    if (this.pending && this.last && this.fits(this.last, place)) { this.commit(); return; }
    this.pending = null;
    let found = this.next(place);
    const before = this.chosen;
    if (!found.length && this.capturing()) {
      this.handlers.say("A mill: choose one of the ringed men to capture. Escape or Cancel takes your man back.", true);
      return;
    }
    if (!found.length && this.chosen.length) { // start again elsewhere
      if (this.chosen.length === 1 && same(this.chosen[0], place)) { this.cancel(); return; }
      this.chosen = [];
      found = this.next(place);
    }
    if (!found.length) {
      this.chosen = before;
      this.refuse(place);
      return;
    }
    this.chosen.push(found[0].steps[this.chosen.length]);
    this.last = this.chosen.at(-1);
    const done = found.filter(l => l.steps.length === this.chosen.length);
    if (done.length > 1) { this.choose(done); return; }
    if (done.length) { this.propose(done[0].move); return; }
    this.handlers.say(this.capturing() ? "A mill: choose one of the ringed men to capture." : "Where to?");
    this.overlay();
  }

  // next lists the moves that go on at a place.
  next(place) { const n = this.chosen.length; return this.open().filter(l => l.steps?.length > n && (this.fits(l.steps[n], place) || n && l.onto && same(l.onto, place))); }

  // refuse takes back the touches so far and says why they do not lead to a place.
  refuse(place) {
    const [from] = this.chosen;
    this.chosen = [];
    this.handlers.say("");
    if (!from && this.shown.kind === "checkered") this.handlers.say(this.immobile(place), true);
    else this.handlers.wrong(from ? `${this.place(from.x, from.y).name}-${place.name}` : place.name);
    this.overlay();
  }

  // immobile says why no piece of chess can be taken up from a place.
  immobile(place) {
    const man = pieceAt(this.shown, place), check = this.shown.marks?.some(m => m.kind === "check");
    if (!man) return `No piece stands on ${place.name}.`;
    if (man.side !== this.shown.turn) return `The piece on ${place.name} is your opponent's.`;
    return `The ${man.kind} on ${place.name} has no legal move` + (check ? ": your king is in check." : ".");
  }

  // choose asks which of several moves between the same places is meant, such as a promotion. The
  // choices cover the file from its last square.
  choose(moves) {
    const box = this.root.getBoundingClientRect(), m = this.svg.getScreenCTM(), size = unit * Math.abs(m.a);
    const at = new DOMPoint(...this.spot(moves[0].steps.at(-1))).matrixTransform(m), up = at.y > box.y + box.height / 2;
    const pick = l => { this.close(); this.propose(l.move); };
    this.asks = el("div", {class: "choices", role: "group", "aria-label": "Promote to"}, ...moves.map(l => el("button", {type: "button", "data-move": l.move, title: manNames[l.becomes?.toLowerCase()] ?? l.move, onclick: () => pick(l)}, l.becomes ? figure(this.shown, l.becomes) : l.text ?? l.move)));
    this.asks.classList.toggle("up", up);
    const percent = (v, of) => `${100 * v / of}%`;
    Object.assign(this.asks.style, {left: percent(at.x - box.x - size / 2, box.width), width: percent(size, box.width), [up ? "bottom" : "top"]: percent(up ? box.bottom - at.y - size / 2 : at.y - box.y - size / 2, box.height)});
    this.root.append(this.asks);
    this.overlay();
    this.asks.firstChild.focus({preventScroll: true});
  }
  close() {
    if (!this.asks) return;
    this.asks.remove();
    this.asks = null;
    this.ready();
  }

  // capturing reports whether a man has reached its place and only the man to capture is
  // still to be chosen.
  capturing() {
    const n = this.chosen.length;
    return n > 0 && !pieceAt(this.shown, this.chosen[n - 1]) && this.open().every(l => l.steps[n] && pieceAt(this.shown, l.steps[n]));
  }

  cancel() {
    this.chosen = [];
    this.pending = this.over = null;
    this.close();
    this.release();
    this.handlers.say("");
    this.overlay();
  }

  fits(step, place) { return step.x === place.x && (step.y === place.y || this.shown.kind === "rack"); }

  propose(move) {
    // A finger hides what it touches: in Quoridor and on small places the first touch shows, the second moves.
    const hidden = this.finger && (this.shown.kind === "rooms" || unit * Math.abs(this.svg.getScreenCTM().a) < smallest);
    if ((this.confirm || hidden) && this.pending !== move) {
      this.pending = move;
      this.handlers.say(this.finger ? `${this.text(move)}: touch it once more to make the move, or Cancel.` : `${this.text(move)}: once more, or Enter, to make the move; Escape to cancel.`);
      this.overlay();
      return;
    }
    this.pending = move;
    this.commit();
  }

  // untouchable are the legal moves that no touch makes, such as a pass, as buttons.
  untouchable() {
    return this.playing ? this.shown.legal.filter(l => l.button).map(l => el("button", {type: "button", "data-move": l.move, onclick: () => this.propose(l.move)}, this.text(l.move))) : [];
  }
  text(move) { return this.shown.legal.find(l => l.move === move)?.text ?? move; }

  commit() {
    const move = this.pending;
    this.pending = null;
    this.chosen = [];
    this.sent = !!move;
    if (move) this.handlers.move(move);
  }

  // key moves a cursor from place to place; Enter touches.
  key(e) {
    if (!this.playing || e.ctrlKey || e.altKey || e.metaKey) return;
    if (this.asks) {
      const list = [...this.asks.children], step = {ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1}[e.key] * (this.asks.classList.contains("up") ? -1 : 1);
      if (step) list.at((list.indexOf(document.activeElement) + step) % list.length).focus();
      else if (e.key === "Escape") this.cancel();
      else return;
      e.preventDefault();
      return;
    }
    const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[e.key];
    if (way) {
      const [dx, dy] = this.flipped ? way.map(v => -v) : way, from = this.cursor ?? this.middle();
      const ahead = this.shown.places.filter(p => (p.x - from.x) * dx + (p.y - from.y) * dy > 0);
      const cost = p => Math.abs((p.x - from.x) * dx + (p.y - from.y) * dy) + 3 * Math.abs((p.x - from.x) * dy + (p.y - from.y) * dx);
      this.cursor = this.cursor ? ahead.sort((a, b) => cost(a) - cost(b))[0] ?? from : from;
      this.handlers.say(this.names(this.cursor));
    } else if (e.key === "Enter" || e.key === " ") {
      if (this.pending) { this.commit(); e.preventDefault(); return; }
      const at = this.cursor ?? (this.cursor = this.middle());
      this.touch(this.mode === "h" || this.mode === "v" ? {wall: this.wallAt(at.x + 0.1, at.y - 0.1, this.mode)} : {place: at});
    } else if (e.key === "w" && this.shown.kind === "rooms") {
      this.setMode({"": "h", step: "h", h: "v", v: "step"}[this.mode]);
    } else if (e.key === "Escape") {
      this.cancel();
    } else return;
    e.preventDefault();
    this.overlay();
  }
  setMode(mode) { this.mode = mode; this.handlers.mode?.(mode); this.overlay(); }
  middle() { const p = this.shown.places; return this.shown.pieces?.find(q => q.side === this.shown.turn && this.shown.kind === "rooms") ? this.placeOf(this.shown.pieces.find(q => q.side === this.shown.turn)) : p[p.length >> 1]; }
  placeOf(piece) { return this.place(piece.x, piece.y); }
  names(p) {
    const piece = this.shown.pieces?.find(q => same(q, p));
    return p.name + (piece ? ", " + this.shown.sides[piece.side].name : "") + (this.mode === "h" ? ", level wall" : this.mode === "v" ? ", upright wall" : "");
  }

  // overlay draws what is legal, chosen, under the pointer and to be confirmed.
  overlay(arrow) {
    if (!this.layer) return;
    if (arrow !== undefined) this.arrow = arrow;
    const out = [], dot = (at, r, cls) => { const [cx, cy] = this.spot(at); out.push(svg("circle", {cx, cy, r, class: cls})); };
    const bar = (w, cls) => { out.push(svg("rect", {...this.bar(w), class: cls})); };
    const checkered = this.shown.kind === "checkered", field = (at, cls) => { const [x, y] = this.spot(at); out.push(svg("rect", {x: x - unit / 2, y: y - unit / 2, width: unit, height: unit, class: cls})); };
    const man = (at, cls) => {
      const tone = this.shown.sides[this.shown.turn].tone;
      dot(at, unit * ({rooms: 0.3, network: 0.35}[this.shown.kind] ?? 0.41), `b-f-${tone} b-s-${tone}-rim ${cls}`);
    };
    this.handlers?.begun?.(this.playing && (this.chosen.length > 0 || !!this.pending || !!this.asks));
    const men = this.svg.querySelectorAll("[data-side]"), moved = this.capturing();
    this.shown.pieces?.forEach((p, i) => { men[i].style.visibility = moved && this.chosen.length > 1 && same(p, this.chosen[0]) ? "hidden" : ""; });
    if (this.playing) {
      if (moved) man(this.chosen.at(-1), "man");
      const seen = new Set();
      for (const l of this.open()) {
        const at = l.steps?.[this.chosen.length];
        if (!at || seen.has(at.x + "," + at.y) || !this.chosen.length && pieceAt(this.shown, at)) continue; // a piece that can be taken up has no mark
        seen.add(at.x + "," + at.y);
        if (moved) dot(at, 17, "prey");
        else if (checkered && pieceAt(this.shown, at)) dot(at, 18, "hint-at taken");
        else if (this.shown.kind !== "lattice") dot(at, 5, pieceAt(this.shown, at) ? "hint-at on" : "hint-at"); // on a lattice every free point is one
      }
      for (const at of this.chosen) checkered ? field(at, "picked") : dot(at, 17, "chosen");
      const aim = this.mode !== "h" && this.mode !== "v" && (this.aim ?? this.cursor), to = aim && this.open().map(l => l.steps?.[this.chosen.length]).find(at => at && this.fits(at, aim));
      if (checkered) { if (aim && this.chosen.length && this.next(aim).length) field(aim, "picked"); } else if (to && !pieceAt(this.shown, to)) man(to, "preview");
      const waits = this.pending && this.shown.legal.find(l => l.move === this.pending);
      if (waits?.wall) bar(waits.wall, "ghost");
      else if (waits?.steps?.length === 1) { man(waits.steps[0], "preview"); dot(waits.steps[0], 17, "chosen"); } else if (waits?.steps) dot(waits.steps.at(-1), 13, "ghost");
      if (this.over && !waits?.wall) bar(this.over, this.legalWall(this.over) ? "ghost" : "barred");
      if (this.cursor) {
        if (this.mode === "h" || this.mode === "v") bar(this.wallAt(this.cursor.x + 0.1, this.cursor.y - 0.1, this.mode), "ghost");
        else { const [x, y] = this.spot(this.cursor); out.push(svg("rect", {x: x - 18, y: y - 18, width: 36, height: 36, rx: 4, class: "cursor"})); }
      }
    }
    const hint = this.arrow && this.shown.legal.find(l => l.move === this.arrow);
    if (hint) hint.wall ? bar(hint.wall, "ghost") : hint.steps?.forEach(at => dot(at, 15, "chosen"));
    else this.weighed.map((move, i) => this.candidate(move, i)).reverse().forEach(marks => out.push(...marks)); // the best on top
    this.layer.replaceChildren(...out);
  }

  // weigh draws the first candidates: an arrow for a step, a pale wall, or a number or sign
  // where a piece is placed.
  weigh(moves, signs) { this.weighed = moves.slice(0, mostDrawn); this.signs = signs; this.overlay(); }

  candidate(move, rank) {
    const l = this.shown.legal.find(l => l.move === move);
    if (!l?.wall && !l?.steps) return [];
    const shape = [], put = (name, attributes) => shape.push(svg(name, attributes)), pawn = this.shown.kind === "rooms" && this.shown.pieces.find(q => q.side === this.shown.turn);
    const [from, to] = l.wall ? [] : l.steps.length > 1 && pieceAt(this.shown, l.steps[0]) ? l.steps : [pawn || null, l.steps[0]];
    let label;
    if (l.wall) {
      put("rect", this.bar(l.wall));
      label = this.spot({x: (l.wall.x1 + l.wall.x2) / 2, y: (l.wall.y1 + l.wall.y2) / 2});
    } else if (from) {
      const [x1, y1] = this.spot(from), [x2, y2] = this.spot(to), far = Math.hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / far, uy = (y2 - y1) / far, at = (d, side) => `${x1 + ux * d - uy * side} ${y1 + uy * d + ux * side}`;
      put("path", {d: `M${at(15, 2.5)}L${at(far - 10, 2.5)}L${at(far - 10, 7)}L${at(far + 2, 0)}L${at(far - 10, -7)}L${at(far - 10, -2.5)}L${at(15, -2.5)}Z`});
      label = [x1 + ux * Math.max(22, far / 2), y1 + uy * Math.max(22, far / 2)];
    } else {
      label = this.spot(to);
    }
    const size = from || l.wall ? 7.5 : 14, number = svg("text", {x: label[0], y: label[1] + 0.55 * size, "text-anchor": "middle", "font-size": 1.5 * size});
    number.textContent = this.signs?.[rank] ?? rank + 1;
    put("circle", {cx: label[0], cy: label[1], r: size});
    return [svg("g", {class: this.signs?.[rank] === "?" ? "weighed slip" : "weighed", "data-move": move, "fill-opacity": Math.max(0.5, 1 - 0.14 * rank)}, ...shape, number)];
  }
}

// Around is a board between the plates of its sides: who plays, what the side has in hand and has
// captured, by how much it is ahead, and its clock.
class Around {
  // player(side) is who plays; between stands above the board.
  constructor(board, player, ...between) {
    Object.assign(this, {board, player, between});
    board.plain = true;
    this.plates = [0, 1].map(side => el("div", {class: "plate", "data-side": side}, svg("svg", {class: "board", viewBox: "0 0 20 20", "aria-hidden": "true"}, svg("circle", {cx: 10, cy: 10, r: 8, "stroke-width": 1.5})), el("span"), el("span", {class: "captured"}), el("b")));
    this.root = el("div", {class: "around"});
    this.arrange();
  }

  // arrange puts each side's plate where its pieces start: above or below the board.
  arrange(lower = Number(this.board.flipped)) { this.root.replaceChildren(this.plates[1 - lower], ...this.between, this.board.root, this.plates[lower]); }
  flip() { this.board.flip(); this.arrange(); }

  show(shown, playing) {
    this.board.show(shown, playing);
    for (const [side, plate] of this.plates.entries()) {
      const [dot, who, men] = plate.children, {name, tone, captured = "", lead = 0} = shown.sides[side], worth = Object.keys(manNames);
      const list = [...captured].sort((a, b) => worth.indexOf(b.toLowerCase()) - worth.indexOf(a.toLowerCase())), names = list.map(letter => manNames[letter.toLowerCase()]).join(", ");
      dot.firstChild.setAttribute("class", `b-f-${tone} b-s-${tone}-rim`);
      who.replaceChildren(said(name), el("small", {}, this.player(side)), el("small", {}, (shown.counters ?? []).filter(c => c.side === side).map(c => `${c.value} ${c.name}`).join(", ")));
      for (const [key, value] of Object.entries({role: "img", "aria-label": `captured: ${names}` + (lead ? `, +${lead}` : ""), title: `captured: ${names}`})) names ? men.setAttribute(key, value) : men.removeAttribute(key);
      men.replaceChildren(names ? figure(shown, list) : "", lead ? `+${lead}` : "");
      plate.dataset.turn = String(side === shown.turn && !shown.outcome);
    }
  }
}
// onWall reports whether a point is so near to a wall that a finger means it.
const onWall = (w, {x, y}) => Math.hypot(x - Math.min(Math.max(x, Math.min(w.x1, w.x2)), Math.max(w.x1, w.x2)), y - Math.min(Math.max(y, Math.min(w.y1, w.y2)), Math.max(w.y1, w.y2))) < 0.3;
const mostDrawn = 5; // candidates
const smallest = 28; // pixels of a place that a finger can hit
const manNames = {p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen"}; // by worth

// figure draws men of chess by their letters, those of a kind close together.
function figure(shown, letters) {
  let x = 0, last = "";
  const men = [...letters].map((letter, i) => {
    if (i) x += letter === last ? 11 : 24;
    last = letter;
    const {tone} = shown.sides[Number(letter !== letter.toUpperCase())];
    return svg("path", {d: shown.figures[letter.toUpperCase()], transform: `translate(${x} 0)`, "stroke-linejoin": "round", "stroke-width": 1.4, class: `b-f-${tone} b-s-${tone}-rim`});
  });
  return svg("svg", {class: "board", viewBox: `-14 -15 ${x + 28} 30`, "aria-hidden": "true"}, ...men);
}

// roundOf numbers the moves of both sides together, from first on.
const roundOf = (i, turns, first = 1) => ((i + turns[0]) >> 1) + first;

// listed writes a move of a list: games with another notation number rounds, others plies.
function listed(i, move, text, turns, first) {
  if (!text) return `${i + 1}. ${move}`;
  const round = roundOf(i, turns, first);
  return turns[i] === 0 ? `${round}. ${text}` : i ? text : `${round}… ${text}`;
}

// written is the moves of a game as its players write them.
const written = (moves, {texts, turns, number}) => moves.map((m, i) => texts ? listed(i, m, texts[i], turns, number) : m).join(" ");
const several = (n, one, many) => `${n} ${n === 1 ? one : many}`;

// ended is why a game ended, in its players' words.
const ended = (reason, rules) => ({mate: "checkmate", material: "insufficient material", noprogress: /\bfifty=50\b/.test(rules) ? "the fifty-move rule" : "no progress", repetition: /\brepetition=3\b/.test(rules) ? "threefold repetition" : "repetition"})[reason] ?? reason;
const pieceAt = (shown, at) => shown.pieces?.find(q => same(q, at));
const same = (a, b) => a.x === b.x && a.y === b.y;

// terms shows an evaluation as a table.
async function showTerms(root, question) {
  try {
    const list = await table({...question, op: "terms"});
    root.replaceChildren(el("table", {}, el("tbody", {}, ...list.map(t => el("tr", {}, el("th", {scope: "row", title: t.doc}, t.name), el("td", {class: "tab"}, t.value))))));
  } catch (e) { root.textContent = e.message; }
}

// saying writes a player's decision.
function saying(d, chance = false) {
  const parts = [];
  if (d.says) parts.push(d.says);
  else if (d.mate) parts.push(`${d.mate > 0 ? "wins" : "loses"} in ${Math.abs(d.mate)} ${Math.abs(d.mate) === 1 ? "ply" : "plies"}`);
  else if (d.score !== undefined && d.score !== null) parts.push(chance && typeof d.score === "number" ? `win rate ${number(100 * d.score)} %` : "score " + (typeof d.score === "number" ? number(d.score) : d.score));
  if (d.depth) parts.push(`depth ${d.depth}`);
  if (d.nodes) parts.push(`${count(d.nodes)} nodes`);
  if (d.micros) parts.push((d.lines?.length > 1 ? "with the other moves " : "") + (d.micros < 1e6 ? `${number(d.micros / 1000)} ms` : `${number(d.micros / 1e6)} s`));
  return parts.join(", ");
}

// candidateTable lists candidates; point(move) shows one on the board and make(move)
// makes it, if the page can.
function candidateTable(list, point, make, chance) {
  const terms = list.find(c => c.terms?.length)?.terms ?? [];
  const heads = ["move", ...(terms.length ? terms.map(t => el("span", {title: t.doc}, t.name)) : [chance ? "win rate" : "score", "reply", "nodes"])];
  const says = c => c.end ? c.end : c.mate ? (c.mate > 0 ? `wins in ${c.mate}` : `loses in ${-c.mate}`) : typeof c.score === "number" ? (chance ? number(100 * c.score) + " %" : number(c.score)) : c.score ?? "–";
  const cells = c => terms.length ? c.terms.map(t => t.value) : [says(c), c.reply ?? "–", c.nodes ? count(c.nodes) : "–"];
  return moveTable("candidates", heads, list.map(c => [c.move, ...cells(c)]), point, make);
}

// lineTable lists a player's best moves with their continuations.
function lineTable(lines, point, make) {
  const searched = lines.some(l => l.visits) ? el("span", {title: "random games through the move"}, "games") : el("span", {title: "plies searched"}, "depth");
  return moveTable("candidates lines", ["move", "score", searched, "continuation"], lines.map(l => [l.moves[0], l.says, l.visits ? count(l.visits) : l.depth || "–", (l.texts ?? l.moves).slice(1).join(" ") || "–"]), point, make, lines.map(l => l.texts?.[0]));
}

// moveTable has a row for each move, its first cell. Pointing at a row shows the move on
// the board.
function moveTable(kind, heads, rows, point, make, texts = []) {
  const name = (move, text = move) => make ? el("button", {type: "button", title: "make this move", onclick: () => make(move)}, text) : el("span", {tabindex: 0}, text);
  return el("table", {class: kind}, el("thead", {}, el("tr", {}, ...heads.map(h => el("th", {scope: "col"}, h)))),
    el("tbody", {}, ...rows.map(([move, ...cells], i) => {
      const show = () => point(move), hide = () => point("");
      return el("tr", {"data-move": move, class: i ? "" : "best", onpointerenter: show, onpointerleave: hide, onfocusin: show, onfocusout: hide}, el("td", {}, name(move, texts[i])), ...cells.map(v => el("td", {class: "tab"}, v)));
    })));
}

// Analysis asks a preset about the position: its score, its best moves and their
// continuations. A player that knows only its decision is asked for candidates, and then
// to play both sides.
class Analysis {
  // handlers: {question() -> position, point(move), weigh(moves), make(move) or none, worth -> a bar or none, about -> the game, seats -> [[value, name]]}
  constructor(handlers, start = {}) {
    this.handlers = handlers;
    const about = handlers.about;
    this.preset = el("select", {name: "preset", "aria-label": "Analysing player"}, ...(handlers.seats ?? playersOf(about)).map(([value, name]) => el("option", {value}, name)));
    const strongest = about.levels.at(-1);
    this.preset.value = start.preset ?? (start.limits || !strongest ? about.plays : "level:" + strongest.number); // a level has its own limits
    if (this.preset.selectedIndex < 0) this.preset.value = about.plays;
    this.limits = el("input", {name: "analysis-limits", value: start.limits ?? "", placeholder: about.limits || "none", size: 14, autocomplete: "off", "aria-label": "Its limits", title: "such as depth=3; supported: " + about.budgets.join(", ")});
    this.most = el("select", {name: "most", "aria-label": "Candidates"}, ...[3, 5, 8, 15, 30].map(n => el("option", {value: n, selected: n === 8}, `${n} candidates`)));
    this.line = el("p", {class: "tab analysis-says", role: "status"});
    this.way = el("p", {class: "hint analysis-line"});
    this.list = el("div", {class: "scroll"});
    for (const e of [this.preset, this.limits, this.most]) e.addEventListener("change", () => this.at());
    this.root = el("details", {class: "analysis", open: !!start.open, ontoggle: () => this.at()}, el("summary", {}, "Analysis: a player's score and candidates"),
      el("div", {class: "bar"}, this.preset, this.limits, this.most, this.halt = el("button", {type: "button", disabled: true, onclick: () => this.stop()}, "Stop")), this.line, this.way, this.list);
  }

  stop() {
    if (!this.halt.disabled) this.line.textContent = "Stopped.";
    this.asking?.abort();
    this.asking = null;
    this.halt.disabled = true;
  }

  // value shows the chance to win by the game's reviewer, if games say what its scores are worth.
  async value(position, signal) {
    const {about, worth} = this.handlers, by = about.review;
    if (!worth || !by.slope) return;
    const {turn, rules, sides, outcome} = await table({...position, op: "show"}, signal);
    if (outcome || rules !== by.rules) return;
    const d = await table({...position, op: "best", preset: by.preset, seed: "1"}, signal), own = scoreOf(d, about.chance), chance = chanceOf(turn ? -own : own, by.slope);
    if (!signal.aborted) worth.set(chance, `${Math.round(100 * chance)} % for ${sides[0].name}, by ${by.preset.replace(":", " ")}, whose scores were fitted to ${count(by.games)} games`);
  }

  // at asks about the present position.
  async at() {
    this.stop();
    this.handlers.point("");
    this.handlers.weigh([]);
    this.handlers.worth?.set(null);
    this.limits.disabled = this.preset.value.startsWith("level:");
    if (!this.root.open) return;
    const asking = this.asking = new AbortController(), position = this.handlers.question();
    const seat = this.preset.value, ours = !seat.startsWith("engine:"), how = {...who(seat), limits: this.limits.value.trim(), seed: "1"}, most = Number(this.most.value);
    const put = f => { if (this.asking === asking) f(); };
    const list = (rows, moves) => put(() => { this.list.replaceChildren(rows); this.handlers.weigh(moves); });
    this.line.textContent = "Looking…";
    this.halt.disabled = false;
    try {
      await this.value(position, asking.signal);
      const d = await table({...position, ...how, op: ours ? "lines" : "best", most}, asking.signal, n => put(() => { this.line.textContent = "Looking…" + besides(n); }));
      put(() => { this.line.replaceChildren(el("b", {}, d.text ?? d.move), ", ", saying(d, this.handlers.about.chance)); this.line.dataset.of = position.moves; });
      if (d.lines?.length) {
        put(() => { this.way.textContent = ""; }); // each line has one
        list(lineTable(d.lines, this.handlers.point, this.handlers.make), d.lines.map(l => l.moves[0]));
      } else {
        if (ours) {
          const weighed = await table({...position, ...how, op: "candidates", most}, asking.signal);
          list(candidateTable(weighed, this.handlers.point, this.handlers.make, this.handlers.about.chance), weighed.map(c => c.move));
        } else put(() => this.list.replaceChildren());
        await goesOn({...position, ...how}, 6, line => put(() => { this.way.textContent = "Continuation: " + line.join(" "); }), asking.signal);
      }
      put(() => { this.root.dataset.done = position.moves; });
    } catch (e) {
      if (e.name !== "AbortError") put(() => { this.line.textContent = e.message; this.way.textContent = ""; this.list.replaceChildren(); });
    } finally { put(() => { this.halt.disabled = true; }); }
  }
}

// goesOn has a player play both sides, and shows the line as it grows.
async function goesOn(question, plies, show, signal) {
  const moves = question.moves.split(" ").filter(Boolean), line = [];
  for (let i = 0; i < plies; i++) {
    let d;
    try { d = await table({...question, op: "best", moves: moves.join(" ")}, signal); } catch (e) { if (e.name === "AbortError" || !line.length) throw e; return; }
    if (!d.move) return;
    line.push(d.text ?? d.move);
    moves.push(d.move);
    show(line, moves);
  }
}

const levelName = l => `level ${l.number}: ${l.name} ${l.chinese}`;
const playersOf = about => [...about.levels.map(l => ["level:" + l.number, levelName(l)]), ...about.presets.map(p => [p, p + (p === about.plays ? " (default)" : "")])];

// who describes a player for the table: a preset, or values on top of one.
const who = seat => seat.startsWith("=") ? {preset: "", values: seat.slice(1)} : {preset: seat, values: ""};
