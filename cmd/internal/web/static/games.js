"use strict";
// Games of a run: find them and walk through them.

const form = $("#filter"), list = $("#list");
let found = [], walk = null;

const filters = () => {
  const v = {};
  for (const e of form.elements) if (e.name && (e.type !== "checkbox" || e.checked) && e.value) v[e.name] = e.value;
  return v;
};

function item(g) {
  const button = el("button", {type: "button", "data-name": g.name, onclick: async () => { await open(g.name, 0); if (innerWidth < 900) $("#walk").scrollIntoView({block: "start"}); }},
    bdi(g.first), " – ", bdi(g.second), ` ${g.outcome}`, el("small", {}, `${g.name} · by ${g.reason} · ${g.plies} plies${g.upset ? " · upset" : ""}`));
  return el("li", {}, button);
}

let turn = 0;
async function find(more) {
  const mine = ++turn;
  $("#found").textContent = "Looking…";
  try {
    const answer = await ask("data/games?" + query({id: page.id, after: more ? found.length : 0, ...filters()}));
    if (mine !== turn) return;
    found = more ? [...found, ...answer.games] : answer.games;
    if (!more) list.replaceChildren();
    list.append(...answer.games.map(item));
    const reason = form.elements.reason, had = new Set([...reason.options].map(o => o.value));
    for (const r of answer.reasons) if (!had.has(r)) reason.append(el("option", {value: r}, r));
    $("#more").hidden = !answer.more;
    $("#found").textContent = found.length ? `${count(found.length)} games${answer.more ? ", and more" : ""}` : "No game matches.";
    mark();
    if (!walk && !seen.get().game && found.length) open(found[0].name, 0);
  } catch (e) { $("#found").textContent = e.message; }
}

function mark() {
  for (const b of list.querySelectorAll("button")) b.setAttribute("aria-current", String(walk?.name === b.dataset.name));
}

// gameList are the games, requested once.
let known;
const gameList = () => known ??= table({op: "games"});

// open shows a game at a ply.
async function open(name, ply, again = false) {
  try {
    const game = await ask("data/game?" + query({id: page.id, game: name, ask: again ? "1" : ""}));
    walk?.close();
    walk = new Walk($("#walk"), game, ply);
    mark();
  } catch (e) { toast(e.message); }
}

// The colours of curves: those of the pieces, where pieces have colours.
const inkOf = {red: "vermilion", blue: "blue", black: "blue", white: "vermilion"};

// Walk is one game on a board, with the other game of its pair if requested.
class Walk {
  constructor(root, game, ply) {
    this.game = game;
    this.name = game.name;
    this.moves = game.moves;
    this.start = {game: game.game, rules: game.rules, position: game.position};
    this.board = new Board();
    this.board.flipped = seen.get().flip === "1";
    const button = (text, title, to) => el("button", {type: "button", title, "aria-label": title, onclick: to}, text);
    this.slider = el("input", {type: "range", min: 0, max: this.moves.length, value: 0, "aria-label": "Ply", oninput: e => this.to(Number(e.target.value))});
    this.graph = svg("svg", {class: "scores", viewBox: "0 0 300 110", preserveAspectRatio: "none", role: "img", "aria-label": "Scores by ply; click to go there"});
    this.graph.addEventListener("click", e => {
      const r = this.graph.getBoundingClientRect();
      this.to(Math.round((e.clientX - r.x) / r.width * this.moves.length));
    });
    this.said = el("p", {class: "said", role: "status"});
    this.list = el("div", {class: "movelist"});
    this.terms = el("div", {class: "terms"});
    this.other = el("div", {class: "twin"});
    this.keys = el("p", {class: "scorekeys", title: "each player's own scores"});
    this.head = el("p", {}, bdi(game.first), " – ", bdi(game.second), ` ${game.outcome} by ${game.reason}`);
    const again = el("button", {type: "button", title: "have the players choose every move again and check that they repeat it", onclick: e => { e.target.textContent = "Asking…"; open(this.name, this.ply, true); }}, "Ask the players again");
    const text = () => this.moves.slice(0, this.ply).map(m => m.move).join(" ");
    root.hidden = false;
    root.replaceChildren(
      el("div", {}, this.board.root,
        el("div", {class: "steps"}, button("|◀", "to the start (Home)", () => this.to(0)), button("◀", "back (←)", () => this.to(this.ply - 1)), button("▶", "on (→)", () => this.to(this.ply + 1)), button("▶|", "to the end (End)", () => this.to(this.moves.length)), this.slider)),
      el("div", {class: "beside"}, this.head, this.said, this.graph,
        this.keys,
        this.list,
        el("div", {class: "bar"}, button("Flip", "turn the board (f)", () => this.flip()),
          el("button", {type: "button", onclick: () => copy(this.shown.position)}, "Copy position"),
          el("button", {type: "button", onclick: () => copy(text())}, "Copy moves"),
          el("button", {type: "button", onclick: () => { location.href = (window.engines ? "index.html#" : "play#") + query({...this.start, moves: text()}); }}, "Open in play"),
          window.engines ? null : again,
          game.other ? el("button", {type: "button", onclick: () => this.pair()}, "The other game of the pair") : null),
        game.differs ? el("p", {class: "hint"}, "When asked again, it ", game.differs) : null,
        el("details", {ontoggle: e => { this.wants = e.target.open; this.tell(); }}, el("summary", {}, "Terms of the evaluation here"), this.terms),
        this.beside = el("div")),
      this.other);
    this.draw();
    root.classList.remove("paired");
    gameList().then(all => {
      const about = all.find(g => g.name === game.game), preset = (game.players[0] ?? "").split(",")[0];
      this.analysis = new Analysis({question: () => ({...this.start, moves: this.moves.slice(0, this.ply).map(m => m.move).join(" ")}), point: m => this.board.overlay(m), weigh: list => this.board.weigh(list), about}, {preset});
      this.beside.replaceChildren(this.analysis.root);
      if (about.chance) { this.chance = true; this.draw(); this.showAt(); }
    }, () => {});
    this.abort = new AbortController();
    const options = {signal: this.abort.signal};
    addEventListener("keydown", e => this.key(e), options);
    this.board.root.addEventListener("wheel", e => { e.preventDefault(); this.to(this.ply + Math.sign(e.deltaY)); }, {...options, passive: false});
    this.to(Math.min(ply, this.moves.length));
    if (seen.get().pair === "1" && game.other) this.pair();
  }

  close() { this.abort.abort(); this.analysis?.stop(); }
  sideName(side) { return side === 0 ? this.game.first : this.game.second; }

  key(e) {
    if (/INPUT|SELECT|TEXTAREA/.test(document.activeElement.tagName) && document.activeElement !== this.slider || e.ctrlKey || e.altKey || e.metaKey) return;
    const to = {ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.moves.length}[e.key];
    if (to !== undefined) { e.preventDefault(); this.to(to); }
    if (e.key === "f") this.flip();
  }

  flip() { this.board.flip(); seen.set({flip: this.board.flipped ? "1" : ""}); }

  // to shows the position after so many plies; of a row of wishes the last counts.
  async to(ply) {
    ply = Math.max(0, Math.min(this.moves.length, ply));
    this.ply = ply;
    this.slider.value = ply;
    seen.set({game: this.name, ply});
    this.showAt();
    if (this.busy) return;
    this.busy = true;
    try {
      for (let at = -1; at !== this.ply;) {
        at = this.ply;
        this.shown = await table({...this.start, op: "show", moves: this.moves.slice(0, at).map(m => m.move).join(" ")});
        this.board.show(this.shown);
        this.board.root.dataset.ply = at;
        if (!this.inks) { this.inks = this.shown.sides.map(s => inkOf[s.tone]); this.draw(); this.showAt(); }
      }
      this.tell();
      this.analysis?.at();
    } catch (e) { toast(e.message); } finally { this.busy = false; }
    if (this.twin) this.twin(this.ply);
  }

  tell() {
    if (!this.wants) return;
    const side = this.shown.turn, [preset, ...values] = (this.game.players[side] ?? "").split(",");
    showTerms(this.terms, {...this.start, moves: this.moves.slice(0, this.ply).map(m => m.move).join(" "), preset: /[./\\]/.test(preset) ? "" : preset, values: values.join(",")});
  }

  showAt() {
    const m = this.moves[this.ply - 1];
    this.said.replaceChildren(...(m ? [`${this.ply}. `, el("b", {}, m.move), " by ", bdi(this.sideName(m.side)), m.opening ? ", from the opening" : m.illegal ? ", after an illegal action" : saying(m) ? ": " + saying(m, this.chance) : ""] : ["The start."]),
      this.game.parts >= 0 && this.ply === this.game.parts ? el("span", {class: "hint"}, " From here the two games of the pair diverge.") : "");
    for (const b of this.list.children) b.setAttribute("aria-current", String(Number(b.dataset.ply) === this.ply));
    const now = this.list.querySelector("[aria-current=true]");
    if (now) this.list.scrollTop = now.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
    this.at.setAttribute("x1", 300 * this.ply / this.moves.length);
    this.at.setAttribute("x2", 300 * this.ply / this.moves.length);
  }

  draw() {
    this.list.replaceChildren(...this.moves.map((m, i) => el("button", {type: "button", "data-ply": i + 1, class: m.opening ? "given" : "", onclick: () => this.to(i + 1)}, `${i + 1}. ${m.move}${i === this.game.parts ? " ⋯" : ""}`)));
    const n = this.moves.length || 1, own = m => this.chance ? 2 * m.score - 1 : m.score, score = m => typeof m.score === "number" ? (m.side === 0 ? 1 : -1) * (m.mate ? m.mate * Infinity : own(m)) : null;
    // Proven scores are drawn at the edges; beyond the usual scores the scale is logarithmic.
    const sizes = this.moves.map(m => Math.abs(score(m) ?? 0)).filter(v => v > 0 && v < Infinity).sort((a, b) => a - b), usual = sizes[sizes.length >> 1] ?? 1;
    const bent = v => this.chance ? v : Math.sign(v) * Math.log1p(Math.abs(v) / usual), far = this.chance ? 1 : bent(sizes.at(-1) ?? 1);
    const y = v => 55 - (Math.abs(v) === Infinity ? 50 * Math.sign(v) : 45 * bent(v) / far);
    const parts = [svg("line", {x1: 0, x2: 300, y1: 55, y2: 55, stroke: "var(--fig-pale)", "stroke-dasharray": "3 4", "vector-effect": "non-scaling-stroke"})];
    for (const side of [0, 1]) {
      const points = this.moves.map((m, i) => m.side === side && score(m) !== null ? `${(300 * (i + 1) / n).toFixed(1)},${y(score(m)).toFixed(1)}` : "").filter(Boolean);
      parts.push(svg("polyline", {points: points.join(" "), fill: "none", stroke: `var(--fig-${this.ink(side)})`, "stroke-width": 1.8, "vector-effect": "non-scaling-stroke"}));
    }
    const any = this.moves.some(m => score(m) !== null), none = !this.moves.some(m => m.score !== undefined && m.score !== null);
    this.graph.style.display = none ? "none" : "";
    this.keys.replaceChildren(...(none ? ["This run recorded no scores: ask the players again."] : any ? [...[0, 1].map(side => el("span", {}, el("i", {style: `background:var(--fig-${this.ink(side)})`}), bdi(this.sideName(side)))), el("span", {}, "up is good for ", bdi(this.sideName(0)))] : []));
    if (this.game.parts >= 0) parts.push(svg("line", {x1: 300 * this.game.parts / n, x2: 300 * this.game.parts / n, y1: 0, y2: 110, stroke: "var(--fig-green)", "stroke-dasharray": "2 3", "vector-effect": "non-scaling-stroke"}));
    this.at = svg("line", {x1: 0, x2: 0, y1: 0, y2: 110, stroke: "var(--fig-ink)", "vector-effect": "non-scaling-stroke"});
    this.graph.replaceChildren(...parts, this.at);
  }
  ink(side) { return this.inks?.[side] ?? ["blue", "vermilion"][side]; }

  // pair shows the other game of the pair at the same ply.
  async pair() {
    const box = this.other.parentElement;
    if (this.twin) { this.twin = null; this.other.replaceChildren(); box.classList.remove("paired"); seen.set({pair: ""}); return; }
    seen.set({pair: "1"});
    const other = await ask("data/game?" + query({id: page.id, game: this.game.other})), board = new Board(), at = el("p", {class: "hint"});
    board.flipped = this.board.flipped;
    box.classList.add("paired");
    this.other.replaceChildren(board.root, el("p", {}, bdi(other.first), " – ", bdi(other.second), ` ${other.outcome} by ${other.reason}. `, el("a", {href: "#" + query({game: other.name, ply: this.ply}), onclick: () => open(other.name, this.ply)}, "Go to it")), at);
    this.twin = async ply => {
      const n = Math.min(ply, other.moves.length);
      const shown = await table({...this.start, op: "show", moves: other.moves.slice(0, n).map(m => m.move).join(" ")});
      board.show(shown);
      at.textContent = this.game.parts < 0 ? "The two games are identical." : ply <= this.game.parts ? `The same position: they diverge at ply ${this.game.parts + 1}.` : `They diverged at ply ${this.game.parts + 1}: ${this.moves[this.game.parts]?.move ?? "the end"} here, ${other.moves[this.game.parts]?.move ?? "the end"} there.`;
    };
    this.twin(this.ply);
  }
}

// Without a server the runs are listed here.
if (window.offline) offline("data/runs").then(runs => {
  const now = page.id || "1";
  $("#runs").replaceChildren(...runs.map(r => el("a", {class: "button", href: "games.html?id=" + r.id, "aria-current": r.id === now ? "page" : false}, bdi(r.name))));
  $("#runs").after(el("p", {class: "hint"}, bdi(runs.find(r => r.id === now)?.result ?? "")));
}, e => toast(e.message));
const at = seen.get();
for (const e of form.elements) if (at["f." + e.name]) e.type === "checkbox" ? e.checked = true : e.value = at["f." + e.name];
form.addEventListener("input", () => {
  const f = filters();
  seen.set(Object.fromEntries([...form.elements].map(e => ["f." + e.name, f[e.name] ?? ""])));
  clearTimeout(find.timer);
  find.timer = setTimeout(find, 250);
});
form.addEventListener("submit", e => e.preventDefault());
$("#more").addEventListener("click", () => find(true));
if (at.game) open(at.game, Number(at.ply ?? 0));
find();
