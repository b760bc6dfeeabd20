"use strict";
// A game to walk through, on the pages of recorded games and after a game on the board,
// and its review: where it was lost.

// The colours of curves: those of the pieces, where pieces have colours.
const inkOf = {red: "vermilion", blue: "blue", black: "blue", white: "vermilion"};

// Walk is one game on a board, with the other game of its pair if requested.
class Walk {
  // on: {seen -> what the address holds, remember(values), leave() and player(side) or none; of recorded games also again() and other() -> the pair's other game}
  constructor(root, game, ply, on) {
    this.game = game;
    this.on = on;
    this.name = game.name;
    this.moves = game.moves;
    this.start = {game: game.game, rules: game.rules, position: game.position};
    this.board = new Board();
    this.worth = new Worth();
    this.board.flipped = on.seen.flip === "1";
    this.around = new Around(this.board, on.player ?? (side => this.named(side)));
    const button = (text, title, to) => el("button", {type: "button", title, "aria-label": /[a-z]/.test(text) ? `${text}: ${title}` : title, onclick: to}, text);
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
    this.head = el("p", {}, this.named(0), " – ", this.named(1), game.reason ? ` ${game.outcome} by ${ended(game.reason, game.rules)}` : ` ${game.outcome}`, game.log ?? "");
    const again = el("button", {type: "button", title: "have the players choose every move again and check that they repeat it", onclick: async ({target}) => { target.textContent = "Asking…"; await on.again(); target.textContent = "Ask the players again"; }}, "Ask the players again");
    this.review = new Review(this);
    root.hidden = false;
    root.replaceChildren(
      el("div", {}, this.around.root, this.worth.root,
        el("div", {class: "steps"}, button("|◀", "to the start (Home)", () => this.to(0)), button("◀", "back (←)", () => this.to(this.ply - 1)), button("▶", "on (→)", () => this.to(this.ply + 1)), button("▶|", "to the end (End)", () => this.to(this.moves.length)), this.slider)),
      el("div", {class: "beside"}, this.head, this.said, this.graph,
        this.keys,
        this.review.root,
        this.list,
        el("div", {class: "bar"}, on.leave ? el("button", {type: "button", onclick: on.leave}, on.review ? "Back to the result" : "Back") : null, button("Flip", "turn the board (f)", () => this.flip()), button("Keys", "what the keyboard does (?)", keysHelp),
          el("button", {type: "button", onclick: () => copy(this.shown.position)}, "Copy position"),
          el("button", {type: "button", onclick: () => copy(written(this.moves.slice(0, this.shown.ply).map(m => m.move), this.shown))}, "Copy moves"),
          el("button", {type: "button", onclick: () => { location.href = "play#" + query({...this.start, moves: this.text()}); }}, "Open in play"),
          on.again ? again : null,
          game.other ? el("button", {type: "button", onclick: () => this.pair()}, "The other game of the pair") : null),
        game.differs ? el("p", {class: "hint"}, "When asked again, it ", game.differs) : null,
        el("details", {ontoggle: e => { this.wants = e.target.open; this.tell(); }}, el("summary", {}, "Terms of the evaluation here"), this.terms),
        this.beside = el("div")),
      this.other);
    this.draw();
    root.classList.remove("paired");
    gameList().then(all => {
      const about = all.find(g => g.name === game.game);
      if (!about) { this.review.root.hidden = true; return; } // another program keeps the rules: pages offer no player of it
      this.analysis = new Analysis({question: () => ({...this.start, moves: this.text()}), point: m => this.board.overlay(m), weigh: list => this.board.weigh(list), about});
      this.beside.replaceChildren(this.analysis.root);
      this.review.offer(about);
      if (about.chance) { this.chance = true; this.draw(); this.showAt(); }
      table({...this.start, op: "show", moves: this.text(this.moves.length)}).then(({texts, number}) => {
        if (!texts) return;
        this.number = number;
        texts.forEach((text, i) => { this.moves[i].text = text; });
        this.draw();
        this.showAt();
      }, e => toast(e.message));
    }, () => {});
    this.abort = new AbortController();
    const options = {signal: this.abort.signal};
    addEventListener("keydown", e => this.key(e), options);
    this.board.root.addEventListener("wheel", e => { e.preventDefault(); this.to(this.ply + Math.sign(e.deltaY)); }, {...options, passive: false});
    this.to(Math.min(ply, this.moves.length));
    if (on.seen.pair === "1" && game.other) this.pair();
  }

  close() { this.abort.abort(); this.analysis?.stop(); this.review.stop(); }
  named(side) { return (this.on.review ? said : bdi)(this.sideName(side)); } // recorded players have names of users
  text(plies = this.ply) { return this.moves.slice(0, plies).map(m => m.move).join(" "); }
  sideName(side) { return side === 0 ? this.game.first : this.game.second; }

  key(e) {
    if (typing() && document.activeElement !== this.slider || e.ctrlKey || e.altKey || e.metaKey) return;
    const to = {ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.moves.length}[e.key];
    if (to !== undefined) { e.preventDefault(); this.to(to); }
    if (e.key === "f") this.flip();
  }

  flip() { this.around.flip(); this.otherBoard?.flip(); this.on.remember({flip: this.board.flipped ? "1" : ""}); }

  // to shows the position after a number of plies; of several requests in a row the last counts.
  async to(ply) {
    ply = Math.max(0, Math.min(this.moves.length, ply));
    this.ply = ply;
    this.slider.value = ply;
    this.on.remember({game: this.name, ply});
    this.showAt();
    if (this.busy) return;
    this.busy = true;
    this.analysis?.stop(); // its position is left
    try {
      for (let at = -1; at !== this.ply;) {
        at = this.ply;
        this.shown = await table({...this.start, op: "show", moves: this.text(at)});
        this.around.show(this.shown);
        this.board.root.dataset.ply = at;
        await this.twin?.(at);
        if (!this.inks) { this.inks = this.shown.sides.map(s => inkOf[s.tone]); this.draw(); this.showAt(); }
      }
      this.tell();
      this.analysis?.at();
      this.review.at();
    } catch (e) { toast(e.message); } finally { this.busy = false; }
  }

  tell() {
    if (!this.wants) return;
    const side = this.shown.turn, [preset, ...values] = (this.game.players[side] ?? "").split(",");
    showTerms(this.terms, {...this.start, moves: this.text(), preset: /[./\\]/.test(preset) ? "" : preset, values: values.join(",")});
  }

  showAt() {
    const m = this.moves[this.ply - 1];
    this.said.replaceChildren(...(m ? [...this.numbered(this.ply - 1), " by ", this.named(m.side), m.opening ? ", from the opening" : m.illegal ? ", after an illegal action" : saying(m) ? ": " + saying(m, this.chance) : ""] : ["The start."]),
      this.game.parts >= 0 && this.ply === this.game.parts ? el("span", {class: "hint"}, " From here the two games of the pair diverge.") : "");
    for (const b of this.list.children) b.setAttribute("aria-current", String(Number(b.dataset.ply) === this.ply));
    const now = this.list.querySelector("[aria-current=true]");
    if (now) this.list.scrollTop = now.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
    this.at.setAttribute("x1", 300 * this.ply / this.moves.length);
    this.at.setAttribute("x2", 300 * this.ply / this.moves.length);
  }

  // numbered is a move with its number, the move strong.
  numbered(ply, sign = "") {
    const m = this.moves[ply], text = m.text ?? m.move, turns = this.moves.map(m => m.side);
    return [listed(ply, m.move, m.text, turns).slice(0, -text.length), el("b", {}, text + sign)];
  }

  draw() {
    this.list.replaceChildren(...this.moves.map((m, i) => el("button", {type: "button", "data-ply": i + 1, class: m.opening ? "given" : "", onclick: () => this.to(i + 1)}, listed(i, m.move, m.text, this.moves.map(m => m.side), this.number) + (i === this.game.parts ? " ⋯" : ""))));
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
    this.at = svg("line", {x1: 0, x2: 0, y1: 0, y2: 110, stroke: "var(--fig-ink)", "vector-effect": "non-scaling-stroke"});
    if (this.review.judged) { this.review.draw(parts[0]); return; }
    const any = this.moves.some(m => score(m) !== null), none = !this.moves.some(m => m.score !== undefined && m.score !== null);
    this.graph.style.display = none ? "none" : "";
    this.keys.replaceChildren(...(none ? this.on.again ? ["This run recorded no scores: ask the players again."] : [] : any ? [...[0, 1].map(side => el("span", {}, el("i", {style: `background:var(--fig-${this.ink(side)})`}), this.named(side))), el("span", {}, "up is good for ", this.named(0))] : []));
    if (this.game.parts >= 0) parts.push(svg("line", {x1: 300 * this.game.parts / n, x2: 300 * this.game.parts / n, y1: 0, y2: 110, stroke: "var(--fig-green)", "stroke-dasharray": "2 3", "vector-effect": "non-scaling-stroke"}));
    this.graph.replaceChildren(...parts, this.at);
  }
  ink(side) { return this.inks?.[side] ?? ["blue", "vermilion"][side]; }

  // pair shows the other game of the pair at the same ply.
  async pair() {
    const box = this.other.parentElement;
    if (this.twin) { this.twin = this.otherBoard = null; this.other.replaceChildren(); box.classList.remove("paired"); this.on.remember({pair: ""}); return; }
    this.on.remember({pair: "1"});
    let other;
    try { other = await this.on.other(); } catch (e) { return toast(e.message); }
    const around = this.otherBoard = new Around(new Board(), side => bdi(side ? other.second : other.first)), at = el("p", {class: "hint"});
    if (this.board.flipped) around.flip();
    box.classList.add("paired");
    this.other.replaceChildren(around.root, el("p", {}, bdi(other.first), " – ", bdi(other.second), ` ${other.outcome} by ${ended(other.reason, this.game.rules)}. `, el("a", {href: "#" + query({game: other.name}), onclick: e => { e.target.hash = query({...seen.get(), game: other.name}); }}, "Go to it")), at);
    this.twin = async ply => {
      const n = Math.min(ply, other.moves.length);
      const shown = await table({...this.start, op: "show", moves: other.moves.slice(0, n).map(m => m.move).join(" ")});
      around.show(shown);
      const {parts} = this.game;
      at.textContent = parts < 0 ? "The two games are identical." : ply <= parts ? `The same position: they diverge at ply ${parts + 1}.` : `They diverged at ply ${parts + 1}: ${this.moves[parts]?.text ?? this.moves[parts]?.move ?? "the end"} here, ${shown.texts?.[parts] ?? other.moves[parts]?.move ?? "the end"} there.`;
    };
    this.twin(this.ply).catch(e => toast(e.message));
  }
}

// Review has one strong player judge every position of a game, and shows the most costly
// moves with what that player would have done. The cost is a change of the chance to win,
// if games have told what the player's scores are worth, else of the score.
const mostShown = 3;

class Review {
  constructor(walk) {
    this.walk = walk;
    this.go = el("button", {type: "button", class: "main", disabled: true, onclick: () => this.run()}, "Where was it lost?");
    this.halt = el("button", {type: "button", hidden: true, onclick: () => this.stop()}, "Stop");
    this.line = el("span", {class: "hint tab", role: "status"});
    this.list = el("ol", {class: "costly"});
    this.basis = el("p", {class: "hint basis"});
    this.root = el("section", {class: "review", "aria-label": "The most costly moves"}, el("p", {class: "bar"}, this.go, this.halt, this.line), this.list, this.basis);
  }

  // offer allows the review, since the game's reviewer is known.
  offer(about) {
    this.by = about.review;
    this.chance = about.chance;
    this.go.disabled = !this.walk.moves.length;
    if (this.walk.on.review) this.run();
  }

  stop() { this.asking?.abort(); this.asking = null; this.halt.hidden = true; this.go.hidden = !!this.judged; this.line.textContent = ""; }

  question(moves) { return {...this.walk.start, preset: this.by.preset, seed: "1", moves: moves.join(" ")}; }

  // judge is what the reviewer would do and its score, for the first side; of a finished game the result.
  async judge(moves, signal) {
    try {
      const d = await table({...this.question(moves), op: "best"}, signal), own = scoreOf(d, this.chance);
      return {move: d.move, text: d.text ?? d.move, score: d.turn ? -own : own};
    } catch (e) {
      if (e.name === "AbortError") throw e;
      const {outcome} = await table({...this.question(moves), op: "show"}, signal);
      if (!outcome) throw e;
      return {score: {"1-0": Infinity, "0-1": -Infinity}[outcome] ?? 0};
    }
  }

  // worth is from 0 to 1: the chance to win or, where it is not known, only an order.
  worth(score) { return this.fitted ? chanceOf(score, this.by.slope) : Math.abs(score) === Infinity ? Number(score > 0) : 0.5 + 0.5 * score / (Math.abs(score) + this.usual); }

  async run() {
    const {moves} = this.walk, texts = moves.map(m => m.move), asking = this.asking = new AbortController(), {signal} = asking;
    const list = [];
    this.go.hidden = true;
    this.halt.hidden = false;
    try {
      this.fitted = this.by.slope > 0 && (await table({...this.question([]), op: "show"}, signal)).rules === this.by.rules;
      for (let i = 0; i <= moves.length; i++) {
        this.line.replaceChildren("Position ", String(i + 1), " of ", String(moves.length + 1));
        list.push(await this.judge(texts.slice(0, i), signal));
      }
      const sizes = list.map(j => Math.abs(j.score)).filter(v => v > 0 && v < Infinity).sort((a, b) => a - b);
      this.usual = sizes[sizes.length >> 1] ?? 1;
      const costly = await this.compare(list, texts, signal);
      this.judged = list;
      this.costly = this.most(costly);
      for (const c of this.costly) await goesOn({...this.question([...texts.slice(0, c.ply), c.better]), limits: ""}, 5, (line, moves) => { c.line = moves.slice(c.ply); c.texts = [c.text, ...line]; }, signal).catch(e => { if (e.name === "AbortError") throw e; });
      this.show();
    } catch (e) { if (e.name !== "AbortError") toast(e.message); this.judged = this.costly = null; } finally { if (this.asking === asking) this.stop(); }
  }

  // compare searches what comes after each move and after the reviewer's, equally deep.
  async compare(judged, texts, signal) {
    const list = [];
    for (const [ply, m] of this.walk.moves.entries()) {
      const {move: better, text} = judged[ply], sign = m.side ? -1 : 1;
      if (m.illegal || better === m.move) continue;
      this.line.replaceChildren("Better moves: ", String(ply + 1), " of ", String(texts.length));
      const before = (await this.judge([...texts.slice(0, ply), better], signal)).score, after = judged[ply + 1].score;
      list.push({ply, move: m.move, given: m.opening, side: m.side, better, text, before, after, cost: sign * (this.worth(before) - this.worth(after))});
    }
    return list.filter(c => c.cost > 0.02).sort((a, b) => b.cost - a.cost);
  }

  // most are the costliest moves by ply, the loser's worst among them: its own if it made any.
  most(list) {
    const loser = {"1-0": 1, "0-1": 0}[this.walk.game.outcome], lost = list.filter(c => c.side === loser);
    const worst = lost.find(c => !c.given) ?? lost[0], first = list.slice(0, mostShown);
    if (worst && !first.includes(worst)) first[mostShown - 1] = worst;
    return first.sort((a, b) => a.ply - b.ply);
  }

  show() {
    const {walk, by} = this;
    this.list.replaceChildren(...this.costly.map(c => el("li", {},
      el("button", {type: "button", "data-ply": c.ply, onclick: () => walk.to(c.ply)}, ...walk.numbered(c.ply, "?"), " by ", walk.named(c.side), c.given ? ", from the opening" : ""),
      el("p", {class: "tab"}, ...this.price(c)),
      el("p", {class: "better"}, "Better: ", ...this.better(c)))));
    if (!this.costly.length) this.list.replaceChildren(el("li", {}, "No move cost much: the reviewer would have done nearly the same."));
    this.basis.replaceChildren("Judged by ", el("b", {}, by.preset.replace(":", " ")), by.name === by.preset ? "" : ` (${by.name})`, ". ",
      ...(this.fitted ? ["Winning chances are its scores, fitted to ", count(by.games), " games of it against itself; ± is the 95 % interval of that fit, and stronger players may judge otherwise."] : ["There are no games of it by these rules that say what its scores are worth, therefore the costs are scores."]));
    walk.draw();
    walk.to(this.costly[0]?.ply ?? walk.ply);
  }

  // better is the better move, and what would follow it, in brackets.
  better(c) {
    const one = (text, i) => el("button", {type: "button", "data-line": i, title: "show the position after this move", onclick: () => this.peek(c, i)}, text);
    const [first, ...rest] = (c.texts ?? [c.text]).map(one);
    return rest.length ? [first, " (", ...rest.flatMap((b, i) => i ? [" ", b] : [b]), ")"] : [first];
  }

  // price says what a move cost, as the mover's chance before and after it, or the scores.
  price(c) {
    const own = v => (c.side ? -1 : 1) * v, percent = v => String(Math.round(100 * v)), a = this.worth(own(c.before)), b = this.worth(own(c.after)), says = v => Math.abs(v) === Infinity ? (v > 0 ? "won" : "lost") : number(v);
    if (!this.fitted) return ["score ", says(own(c.before)), " instead of ", says(own(c.after)), ", by the side that moved"];
    const slant = v => Math.abs(v) === Infinity ? 0 : v * this.worth(v) * (1 - this.worth(v));
    const wide = 196 * this.by.se * Math.abs(slant(own(c.before)) - slant(own(c.after)));
    return ["cost ", el("b", {}, `${percent(a - b)} ± ${Math.ceil(wide)}`), " points of winning chance: from ", percent(a), " % to ", percent(b), " %"];
  }

  // at marks, where a costly move is to come, that move and the better one on the board.
  at() {
    const {walk} = this;
    if (this.judged && this.fitted) walk.worth.set(this.level(walk.ply), `${Math.round(100 * this.level(walk.ply))} % for ${walk.sideName(0)}`);
    const c = this.costly?.find(c => c.ply === walk.ply);
    for (const b of this.list.querySelectorAll("[data-ply]")) b.setAttribute("aria-current", String(Number(b.dataset.ply) === walk.ply));
    if (c) walk.board.weigh([c.better, c.move], ["!", "?"]);
  }

  // peek shows a position of the better line.
  async peek(c, i) {
    const {walk} = this, line = (c.line ?? [c.better]).slice(0, i + 1);
    try {
      if (walk.ply !== c.ply) await walk.to(c.ply);
      walk.around.show(await table({...this.question([...walk.moves.slice(0, c.ply).map(m => m.move), ...line]), op: "show"}));
      walk.said.replaceChildren("The better line: ", el("b", {}, (c.texts ?? [c.text]).slice(0, i + 1).join(" ")));
    } catch (e) { toast(e.message); }
  }

  // level is the worth after i plies: the mean of two positions, since searches of equal depth end in turn after either side's move.
  level(i) { const now = this.worth(this.judged[i].score); return !i || i === this.judged.length - 1 ? now : (now + this.worth(this.judged[i - 1].score)) / 2; }

  // draw replaces the players' scores by the reviewer's.
  draw(middle) {
    const {walk} = this, n = walk.moves.length, at = i => `${(300 * i / n).toFixed(1)} ${(105 - 100 * this.level(i)).toFixed(1)}`;
    walk.graph.style.display = "";
    walk.graph.replaceChildren(middle, svg("path", {d: "M" + this.judged.map((_, i) => at(i)).join("L"), fill: "none", stroke: "var(--fig-blue)", "stroke-width": 2, "vector-effect": "non-scaling-stroke"}),
      ...(this.costly ?? []).map(c => svg("path", {class: "slip", d: `M${at(c.ply + 1)}h0`, "vector-effect": "non-scaling-stroke"})), walk.at);
    walk.keys.replaceChildren(el("span", {}, el("i", {style: "background:var(--fig-blue)"}), this.fitted ? "winning chance of " : "up is good for ", walk.named(0), this.fitted ? ", from 0 to 100 %, mean of two plies" : ""));
  }
}
