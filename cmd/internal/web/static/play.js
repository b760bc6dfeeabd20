"use strict";
// A game against a preset, a tuned player, an external engine or another person; or
// two players to watch.

const root = $("#play");
let games = [], g = null; // all games; the game under way
let opened = null;        // the game of a file that is shown

const person = "";        // the value of a side that a person plays

async function begin() {
  games = await gameList();
  for (const {drawn, starts} of games) if (drawn) starts.push(...starts.splice(0, Math.floor(Math.random() * starts.length)));
  await setup(seen.get());
  addEventListener("hashchange", () => setup(seen.get()));
  addEventListener("pageshow", e => { if (e.persisted) location.reload(); }); // leaving the page ended its searches
}

// Games under way outlive their page: the latest are kept, with their clocks.
const maxKept = 20;
function keep(id, state) {
  const ids = kept.get("play", []).filter(x => x !== id);
  for (const old of ids.splice(maxKept - 1)) localStorage.removeItem("play." + old);
  kept.set("play", [id, ...ids]);
  kept.set("play." + id, state);
}

const field = (text, input, title) => el("label", {title}, text, input);

function title(looks) {
  $("h1").textContent = looks ? "Analyse" : "Play";
  document.title = document.title.replace(/.*(?= ·)/, language.of($("h1").textContent));
  document.querySelectorAll(".menu a[href^=play]").forEach((a, i) => Boolean(i) === looks ? a.setAttribute("aria-current", "page") : a.removeAttribute("aria-current"));
}

// setup shows the form of a new game.
async function setup(was) {
  stop();
  title(false);
  const before = was.id && kept.get("play." + was.id, null);
  if (before) return goOn(was.id, before);
  const about = games.find(x => x.name === (was.game ?? kept.get("game"))) ?? games[0], rules = rulesOf(was.rules);
  const seats = [[person, "a person"], ...seatsOf(about, was)];
  const group = (title, ...fields) => el("fieldset", {}, el("legend", {}, title), el("div", {class: "setup"}, ...fields));
  const check = (name, text, title) => el("label", {class: "check", title}, el("input", {name, type: "checkbox", value: "1"}), text);
  // The sentence stands for the fields below it: who plays, and by which clock.
  const own = ["own", "set below"], {sides} = about.starts[0].shown, submit = () => el("button", {class: "main", type: "submit"}, "Start");
  const opponent = select("opponent", [...seats.slice(1), seats[0], own]), colour = select("colour", sides.map(({name}, i) => [String(i), name]), kept.get("colour", "0")), clock = select("clock", [...usualClocks, own]);
  const strength = el("p", {class: "hint strength", title: "Elo by games between these levels alone: 100 more score 64 %, 200 more 76 %. It is no Elo of people or of other programs."});
  for (const [list, name] of [[opponent, "Opponent"], [colour, "Your side"], [clock, "Clock"]]) list.setAttribute("aria-label", name);
  const more = el("details", {}, el("summary", {}, "Other players, rules, positions and clocks"),
    group("Who plays",
      field("Plays first", select("first", seats, was.first ?? person)),
      field("Plays second", select("second", seats, was.second ?? about.plays)),
      field("Players' limits", el("input", {name: "limits", value: was.limits ?? "", placeholder: about.limits || "none", autocomplete: "off"}), "such as depth=3, nodes=20000, playouts=500 or time=1s; supported: " + (about.budgets.join(", ") || "none"))),
    about.options.length ? el("details", {open: about.options.some(o => rules[o.name])}, el("summary", {}, "Rules"), el("div", {class: "setup"}, ...about.options.map(o => field(o.name.replaceAll("_", " "), ruleField(o, rules[o.name]), o.doc)))) : null,
    group("Start of the game",
      field("Starts", select("start", [["", "from the initial position"], ["drawn", "from a random opening"], ["given", "from this position or after these moves"]], was.position || was.moves ? "given" : was.start ?? "")),
      el("label", {class: "given", title: "in the game's notation: copy one from any board"}, "Position", el("input", {name: "position", value: was.position ?? "", placeholder: "the initial one", autocomplete: "off"})),
      el("label", {class: "given", title: "separated by spaces"}, "Moves from there", el("input", {name: "moves", value: was.moves ?? "", placeholder: "none", autocomplete: "off"}))),
    group("Clocks: running out of time loses",
      field("Seconds per move", el("input", {name: "permove", type: "number", min: 0, step: "any", value: was.permove ?? "", placeholder: "no clock"}), "a slower move loses"),
      field("Minutes per game", el("input", {name: "pergame", type: "number", min: 0, step: "any", value: was.pergame ?? "", placeholder: "no clock"}), "for each side"),
      field("Increment in seconds", el("input", {name: "perinc", type: "number", min: 0, step: "any", value: was.perinc ?? "", placeholder: "0"}), "added after each move")),
    el("div", {class: "bar checks"},
      check("confirm", "click, then confirm", "against slips: the first click shows the move, the second makes it"),
      check("strict", about.strict.doc || "illegal actions count", "an illegal move is penalised by the rules instead of being refused"),
      check("analyse", "show analysis")),
    submit());
  const form = el("form", {id: "setup", "data-game": about.name}, el("p", {class: "sentence"}, "Play against ", opponent, " as ", el("span", {}, colour, ","), " ", clock, submit()), strength, more);
  const showGiven = () => { for (const e of form.querySelectorAll(".given")) e.hidden = form.elements.start.value !== "given"; };
  form.elements.start.addEventListener("change", showGiven);
  showGiven();
  for (const name of ["confirm", "strict", "analyse"]) form.elements[name].checked = was[name] === "1";
  form.elements.strict.addEventListener("change", e => {
    const {permove} = form.elements, usual = String(about.strict.seconds || ""); // a second is set and taken back with the rule
    if (permove.value === (e.target.checked ? "" : usual)) permove.value = e.target.checked ? usual : "";
  });
  form.addEventListener("submit", e => { e.preventDefault(); start(form); });
  const choose = async x => { kept.set("game", x.name); await setup({game: x.name}); $(".pick [aria-pressed=true]", root).focus({preventScroll: true}); };
  const pick = el("div", {class: "bar pick", role: "group", "aria-label": "Game"}, ...games.map(x => el("button", {type: "button", "aria-pressed": String(x === about), onclick: () => choose(x)}, x.title)));
  const {first, second, permove, pergame, perinc} = form.elements, seated = [first, second], times = [permove, pergame, perinc];
  const read = () => { // the fields
    const side = seated.findIndex(e => e.value === person), now = times.map(e => e.value || "0").join(" "), l = about.levels.find(l => side >= 0 && seated[1 - side].value === "level:" + l.number);
    opponent.value = side < 0 ? "own" : seated[1 - side].value;
    if (side >= 0 && opponent.value !== person) colour.value = String(side);
    clock.value = usualClocks.some(([value]) => value === now) ? now : "own";
    strength.textContent = l?.se ? `${count(l.elo)} ± ${Math.round(1.96 * l.se)} Elo above level 1, by ${count(l.games)} games` : "";
  };
  const seat = () => { if (opponent.value !== "own") seated.forEach((e, side) => { e.value = colour.value === String(side) ? person : opponent.value; }); };
  const setClock = text => { if (text !== "own") text.split(" ").forEach((v, i) => { times[i].value = v === "0" ? "" : v; }); };
  form.addEventListener("change", ({target}) => {
    if ([opponent, colour, clock].includes(target)) {
      if (target.value === "own") more.open = true; else kept.set(target.name, target.value);
      target === clock ? setClock(clock.value) : seat();
    }
    read();
  });
  moreSeats(about, opponent, first, second).then(read);
  // A game that the address names begins without the form.
  const named = was.go === "1" || was.moves !== undefined || was.position !== undefined;
  if (named && await start(form)) return;
  if (was.first === undefined && was.second === undefined) {
    opponent.value = kept.get("opponent", "level:4");
    if (opponent.selectedIndex < 0) opponent.value = about.plays;
    seat();
  }
  const usual = kept.get("clock", "");
  if (!times.some(e => e.value) && usualClocks.some(([value]) => value === usual)) setClock(usual);
  read();
  more.open = ["limits", "rules", "confirm", "strict", "position", "moves"].some(name => was[name]) || opponent.value === "own" || clock.value === "own";
  const found = el("ol", {class: "gamelist"});
  root.replaceChildren(pick, el("p", {class: "hint"}, about.doc), ratingText(about) ?? "", form,
    el("p", {class: "bar"}, ...fileFields(about, () => rulesText(form), found)), found, was.rules ? "" : firstLook(about));
  scrollTo(0, 0);
}

// seatsOf lists who can play a game, with those who do.
function seatsOf(about, {first, second}) {
  const seats = about.seats = playersOf(about);
  for (const chosen of [first, second]) if (chosen && !seats.some(([value]) => value === chosen)) seats.push([chosen, chosen.startsWith("=") ? "tuned" : chosen.replace(":", ": ")]);
  return seats;
}

// moreSeats adds the tuned players and engines that the server has, to lists on the page, too.
const moreSeats = (about, ...lists) => ask("data/players?" + query({game: about.name})).then(({players, engines}) => {
  for (const [value, name] of [...players.map(t => ["=" + t.values, t.name]), ...engines.map(p => ["engine:" + p, "engine: " + p])]) {
    const had = about.seats.find(s => s[0] === value);
    had ? had[1] = name : about.seats.push([value, name]);
    for (const s of [...lists, ...document.querySelectorAll(".analysis [name=preset]")]) {
      const has = [...s.options].find(o => o.value === value);
      has ? has.text = name : s.add(new Option(name, value));
    }
  }
}).catch(() => { /* only presets then */ });

// goOn continues a kept game.
async function goOn(id, before) {
  const about = games.find(x => x.name === before.game.game);
  seatsOf(about, before.options);
  moreSeats(about);
  g = new Game(before.game, before.options, await table({...question(before.game), op: "show"}), about, id, before);
}

// monotonic is the time in milliseconds for the clocks of games: a page that is reloaded goes on with
// it, and setting the computer's clock changes it in no page.
const monotonic = () => performance.timeOrigin + performance.now();

// rating estimates a person's level of a game from results against levels: the middle and
// the ends of the 95 % interval, where all strengths from 400 Elo below the weakest to 400
// above the strongest are equally likely before the first game.
const fewestRated = 3, mostRated = 40; // games: before a level is named, and kept
function rating(levels, list) {
  const grid = [], played = list.map(r => ({...r, l: levels.find(l => l.number === r.level)})).filter(r => r.l);
  if (played.length < fewestRated) return {n: played.length};
  for (let elo = levels[0].elo - 400; elo <= levels.at(-1).elo + 400; elo += 10) {
    // The level's own error flattens the curve.
    const chance = ({l}) => 1 / (1 + 10 ** ((l.elo - elo) / 400 / Math.sqrt(1 + Math.PI / 8 * (l.se * Math.LN10 / 400) ** 2)));
    grid.push([elo, Math.exp(played.reduce((sum, r) => sum + r.points * Math.log(chance(r)) + (1 - r.points) * Math.log(1 - chance(r)), 0))]);
  }
  const all = grid.reduce((sum, [, w]) => sum + w, 0);
  const at = share => { let sum = 0; const [elo] = grid.find(([, w]) => (sum += w) >= share * all); return levels.toSorted((a, b) => Math.abs(a.elo - elo) - Math.abs(b.elo - elo))[0].number; };
  return {n: played.length, level: at(0.5), low: at(0.025), high: at(0.975)};
}
function ratingText(about) {
  const r = rating(about.levels, kept.get("rated." + about.name, []));
  const title = "the middle and the 95 % interval of your strength, by the levels' published Elo; only your latest games by the usual rules and without help count, and they stay in this browser";
  return !r.n ? null : el("p", {class: "rating", title}, ...(r.level ? ["By your last ", el("b", {}, String(r.n)), " games against levels you are about level ", el("b", {}, String(r.level)), " (", `${r.low} to ${r.high}`, ")."] : [`Games that count towards your level: ${r.n} of ${fewestRated}.`]));
}

// start starts the game of the form, and reports whether it could.
async function start(form) {
  const f = form.elements, rules = rulesText(form), about = games.find(x => x.name === form.dataset.game);
  let shown;
  const game = {game: form.dataset.game, rules, position: "", moves: []};
  try {
    const words = text => text.trim().split(/\s+/).filter(w => w && !/^\d+(\.+|…)$/.test(w)); // without the numbers of moves
    if (f.start.value === "given") {
      game.position = f.position.value.trim();
      game.moves = words(f.moves.value);
    } else if (f.start.value === "" && !rules && about.starts.length) {
      ({position: game.position, shown} = about.drawn ? about.starts.shift() : about.starts[0]); // each that was drawn once
    } else { // what is random in the rules is drawn with an opening, even of no plies
      const o = await table({...question(game), op: "opening", plies: f.start.value === "drawn" ? 0 : -1, seed: String(Math.floor(Math.random() * 1e9))});
      game.position = o.position;
      game.moves = words(o.moves);
    }
    const options = {first: f.first.value, second: f.second.value, limits: f.limits.value.trim(), permove: f.permove.value, pergame: f.pergame.value, perinc: f.perinc.value, analyse: f.analyse.checked ? "1" : "", confirm: f.confirm.checked ? "1" : "", strict: f.strict.checked ? "1" : ""};
    shown ??= await table({...question(game), op: "show"});
    seen.set({game: game.game, rules, ...options, position: game.position, moves: game.moves.join(" "), start: "", go: "1", id: "", review: ""});
    g = new Game(game, options, shown, about, Date.now().toString(36), undefined, f.start.value === "given");
    return true;
  } catch (e) { toast(e.message); return false; }
}

// firstLook shows the board on which the next game begins.
function firstLook(about) {
  const board = new Board(), shown = about.starts[0]?.shown;
  if (!shown) return "";
  board.plain = true;
  board.root.classList.add("look");
  board.root.removeAttribute("tabindex"); // nothing to do there
  board.root.setAttribute("role", "img");
  board.root.setAttribute("aria-label", shown.sentence);
  board.show(shown);
  return board.root;
}

const question = game => ({game: game.game, rules: game.rules, position: game.position, moves: game.moves.join(" ")});
function stop() {
  g?.close();
  opened?.close();
  g = opened = null;
}

// usualClocks are offered with the levels: seconds per move, minutes per game, increment.
const usualClocks = [["0 0 0", "no clock"], ["0 3 2", "3 min + 2 s"], ["0 5 0", "5 min"], ["0 10 0", "10 min"], ["0 15 10", "15 min + 10 s"]];

// fileFields read a game from a file or from a text that is pasted.
function fileFields(about, rules, list) {
  const read = text => openFile(new File([text], "pasted.pgn"), about.name, rules(), list);
  return [
    field("Open a game from a file", el("input", {type: "file", accept: about.files.map(f => "." + f).join(), onchange: e => openFile(e.target.files[0], about.name, rules(), list)}), "PGN of any game, SGF or PSQ of gobang: to walk through it and to see where it was lost"),
    el("input", {name: "pasted", placeholder: "or paste its PGN", "aria-label": "Paste a game as PGN", autocomplete: "off", onchange: e => read(e.target.value),
      onpaste: e => { e.preventDefault(); read(e.clipboardData.getData("text")); }})];
}

// openFile shows the game of a file, or a list of its games to choose from.
async function openFile(file, game, rules, list) {
  list.replaceChildren();
  if (!file) return;
  try {
    if (file.size > largestFile) throw new Error(`${file.name} is larger than ${largestFile / 1e3} kB: open a file with fewer games.`);
    const all = await table({op: "read", name: file.name, text: await file.text(), game, rules});
    if (all.length === 1) return showFile(all[0]);
    list.replaceChildren(...all.map((x, i) => el("li", {}, el("button", {type: "button", onclick: () => showFile(x)}, bdi(x.players[0]), " – ", bdi(x.players[1]), ` ${x.outcome}`, el("small", {}, `game ${i + 1} · ${x.moves.length} plies`)))));
  } catch (e) { toast(e.message); }
}
const largestFile = 5e5; // bytes: what a server takes of one question

// showFile shows a game of a file to walk through and to review.
function showFile({players, opening, turns, ...game}) {
  stop();
  const box = el("section", {class: "walk", "aria-label": "The game"}), moves = game.moves.map((move, i) => ({move, side: turns[i], opening: i < opening}));
  root.replaceChildren(box);
  opened = new Walk(box, {...game, moves, name: "", parts: -1, first: players[0] || "?", second: players[1] || "?", players: []}, 0, {seen: {}, remember: () => {}, leave: () => setup(seen.get().id ? seen.get() : {game: game.game})});
}

class Game {
  constructor(game, options, shown, about, id, before, given) {
    g?.close();
    this.id = id;
    this.game = game;
    this.o = options;
    this.about = about;
    this.given = before?.given ?? game.moves.length; // moves of the opening
    this.seats = [options.first, options.second];
    const looks = this.looks = options.analyse === "1" && !this.seats.some(s => s !== person); // nobody plays
    // Limits of the sides as in matches: a time for each move, one for the game.
    const seconds = text => Number(text) || 0, inc = seconds(options.perinc);
    this.permove = seconds(options.permove) ? `time=${seconds(options.permove)}s` : "";
    this.pergame = seconds(options.pergame) ? `tc=${seconds(options.pergame) * 60}${inc ? "+" + inc : ""}` : "";
    this.left = [0, 1].map(side => before?.left[side] ?? (seconds(options.pergame) * 60 || Infinity));
    this.made = before?.made ?? [0, 0]; // moves by the clock
    this.clock = before?.clock ?? []; // seconds left after each move by the clock, by ply
    this.said = before?.said ?? []; // the players' decisions, by ply
    this.helped = before?.helped ?? !!given; // by an undo, a hint or an analysis, or a chosen position: the game says nothing of the person's level
    this.illegal = before?.illegal ?? [0, 0];
    this.luck = Math.floor(Math.random() * 1e9); // what a level overlooks
    this.board = new Board({move: m => this.move(m), wrong: (t, first) => this.wrong(t, first), idle: () => this.idle(), say: (t, warn) => this.say(t, warn), mode: m => this.showMode(m), begun: some => { this.cancel.disabled = !some; }});
    this.board.confirm = options.confirm === "1";
    const button = (text, to, more = {}) => el("button", {type: "button", ...more, onclick: to}, text);
    this.line = el("p", {class: "said", role: "status", "aria-live": "polite"});
    this.thought = el("p", {class: "hint tab"}, before?.thought ?? "");
    this.list = el("div", {class: "movelist"});
    this.terms = el("div", {class: "terms"});
    this.expected = el("p", {class: "hint"});
    this.around = new Around(this.board, side => this.seatName(side), (this.worth = new Worth()).root);
    this.plates = this.around.plates;
    const opponent = this.seats.find(s => s !== person && !s.startsWith("level:"));
    this.analysis = new Analysis({question: () => question(this.game), point: m => this.board.overlay(m), weigh: list => this.board.weigh(list), make: m => this.move(m), worth: this.worth, about, seats: about.seats}, {open: options.analyse === "1", limits: options.limits, preset: opponent});
    title(looks);
    const others = looks ? field("Game", el("select", {name: "game", onchange: e => { location.hash = query({game: e.target.value, go: 1, first: "", second: "", analyse: 1}); }}, ...games.map(x => el("option", {value: x.name, selected: x === about}, x.title)))) : null;
    this.typed = el("input", {name: "typed", size: 10, autocomplete: "off", "aria-label": "Type a move and press Enter", placeholder: "type a move"});
    this.walls = shown.kind === "rooms" ? el("span", {class: "bar", role: "group", "aria-label": "What a click does"}, ...[["", "auto"], ["step", "step"], ["h", "wall —"], ["v", "wall |"]].map(([m, t]) => button(t, () => this.board.setMode(m), {"data-mode": m, title: "w on the keyboard"}))) : null;
    this.cancel = button("Cancel", () => this.board.cancel(), {title: "takes back a move that is not complete (Escape)", disabled: true});
    this.others = el("span", {class: "bar", role: "group", "aria-label": "Moves without a place of their own on the board"});
    this.over = el("div");
    this.found = el("ol", {class: "gamelist"});
    const choosing = document.activeElement?.name === "game"; // by keyboard, maybe: it stays there
    root.replaceChildren(el("div", {class: "game"},
      el("div", {}, this.around.root, el("div", {class: "bar"}, this.walls, this.cancel, this.others)),
      el("div", {class: "beside"}, others && el("p", {class: "bar"}, others), this.line, this.thought,
        el("div", {class: "bar"}, this.back = button("Undo", () => this.undo()), button("Hint", () => this.hint()),
          this.white = button("Resign", () => this.resign(), {class: "sure", hidden: looks, onblur: () => this.sure(false)}), this.even = button("Agree to a draw", () => this.finish("1/2", "agreed"), {hidden: looks || this.people() === 1}),
          button("New game", () => { seen.set({go: "", moves: null, position: null, id: null, review: ""}); setup({...options, game: game.game, rules: game.rules}); }, {hidden: looks})),
        this.over, this.list,
        el("form", {class: "bar tools", onsubmit: e => { e.preventDefault(); this.type(); }}, this.typed, el("button", {type: "submit"}, "Move"),
          button("Flip", () => this.flip()),
          button("Sound", e => { kept.set("sound", !sound.on); e.target.setAttribute("aria-pressed", String(sound.on)); sound.play(440); }, {"aria-pressed": String(sound.on)}), button("Keys", keysHelp, {title: "what the keyboard does (?)"}),
          button("Copy position", () => copy(this.shown.position)), button("Copy moves", () => copy(written(this.game.moves, this.shown))), button("Expected continuation", () => this.expects()), ...about.files.map(format => button(`Save as ${format.toUpperCase()}`, () => this.write(format), {"data-format": format}))),
        el("p", {class: "bar"}, ...fileFields(about, () => game.rules, this.found)), this.found,
        this.expected,
        el("details", {ontoggle: e => { this.wants = e.target.open; this.help(); this.tell(); }}, el("summary", {}, "Terms of the evaluation here"), this.terms), this.analysis.root)));
    this.analysis.root.addEventListener("toggle", () => { this.help(); this.o.analyse = this.analysis.root.open ? "1" : ""; this.keep(); });
    this.board.flipped = this.seats[0] !== person && this.seats[1] === person && shown.kind !== "rack";
    this.arrange(shown);
    this.showMode("");
    this.timer = setInterval(() => this.tick(), 100);
    this.arrive(shown, before);
    if (choosing) $("[name=game]", root)?.focus();
    else if (this.seats[shown.turn] === person) this.board.ready();
    scrollTo(0, 0); // the form may have been longer
  }

  close() { this.walk?.close(); clearInterval(this.timer); this.thinking?.abort(); this.still(); this.closed = true; }
  // still ends the searches beside the game, which are of the position before.
  still() { this.looking?.abort(); this.analysis.stop(); }
  // say shows a text in place of the game's status; "" brings that back. A warning has a line of its own for some seconds.
  say(text, warn = false) {
    if (warn) return toast(text);
    this.line.textContent = text || this.status;
    this.line.title = "";
  }
  showMode(mode) { for (const b of this.walls?.children ?? []) b.setAttribute("aria-pressed", String(b.dataset.mode === mode)); }
  people() { return this.seats.filter(s => s === person).length; }
  level(side) { return this.about.levels.find(l => this.seats[side] === "level:" + l.number); }
  seatName(side) {
    const seat = this.seats[side], level = this.level(side);
    return seat === person ? this.people() === 1 ? "you" : "" : seat.startsWith("=") ? "tuned" : level ? levelName(level) : seat.replace(/^engine:/, "");
  }
  name(side) { const seat = this.seatName(side); return this.shown.sides[side].name + (seat && ` (${seat})`); }

  // arrange has the plate of a person below a rack, which is not turned.
  arrange(shown) { this.around.arrange(shown.kind === "rack" ? Number(this.seats[0] !== person && this.seats[1] === person) : undefined); }
  flip() { this.board.flip(); this.arrange(this.shown); }

  // keep stores the game for the page that continues it. An infinite time is null there.
  keep() {
    seen.set({id: this.id, moves: this.game.moves.join(" ")});
    keep(this.id, {game: this.game, options: this.o, given: this.given, left: this.left, made: this.made, clock: this.clock, said: this.said, illegal: this.illegal, helped: this.helped, thought: this.thought.textContent, began: this.began, ended: this.ended});
  }

  // arrive shows the position and lets the side to move begin, or go on as it was before.
  arrive(shown, before) {
    this.looking?.abort();
    this.shown = shown;
    this.began = Math.min(before?.began || Infinity, monotonic());
    const end = shown.outcome ? {outcome: shown.outcome, reason: shown.reason} : before?.ended;
    const mine = this.seats[shown.turn] === person && !end && !this.ended;
    this.keep();
    this.board.overlay("");
    this.around.show(shown, mine);
    this.others.replaceChildren(...this.board.untouchable());
    this.list.replaceChildren(...this.game.moves.map((m, i) => el("button", {type: "button", "data-ply": i + 1, "aria-current": String(i + 1 === this.game.moves.length), class: i < this.given ? "given" : "", onclick: () => this.peek(i + 1), title: this.said[i] ? saying(this.said[i], this.about.chance) : ""}, listed(i, m, shown.texts?.[i], shown.turns, shown.number))));
    this.list.scrollTop = this.list.scrollHeight;
    this.back.disabled = this.game.moves.length <= this.given || !this.people();
    this.white.disabled = this.even.disabled = !!shown.outcome || !this.people();
    this.board.root.dataset.ply = this.game.moves.length;
    this.board.root.dataset.outcome = shown.outcome ?? "";
    this.board.root.setAttribute("aria-label", shown.sentence);
    this.tell();
    this.analysis.at();
    this.tick();
    if (end) this.finish(end.outcome, end.reason);
    if (this.ended && before && seen.get().review) this.review();
    if (this.ended) return;
    const state = shown.marks?.some(m => m.kind === "check") ? "is in check" : "to move";
    this.status = `${shown.kind === "checkered" ? "Move" : "Round"} ${roundOf(this.game.moves.length, [...shown.turns ?? [], shown.turn], shown.number)}: ${shown.sides[shown.turn].name} ${state}${mine && !this.looks ? ": your move" : ""}.${this.warned ?? ""}`;
    this.line.classList.toggle("warn", !!this.warned);
    this.say("");
    if (!mine) this.think();
  }

  // peek shows an earlier position, until the latest is chosen again or the next move comes.
  async peek(ply) {
    const now = this.game.moves.length;
    try {
      const shown = ply === now ? this.shown : await table({...question(this.game), moves: this.game.moves.slice(0, ply).join(" "), op: "show"});
      if (this.closed || this.game.moves.length !== now) return;
      this.around.show(shown, ply === now && this.seats[shown.turn] === person && !this.ended);
      this.board.root.dataset.ply = ply;
      for (const b of this.list.children) b.setAttribute("aria-current", String(Number(b.dataset.ply) === ply));
      if (ply < now) this.say("An earlier position: choose the last move in the list to go on.");
      else if (!this.ended) this.say("");
    } catch (e) { this.say(e.message, true); }
  }

  async move(text) {
    if (this.ended || this.moving || this.seats[this.shown.turn] !== person) return;
    this.warned = "";
    await this.play(text);
  }

  // idle says why a click on the board does nothing.
  idle() {
    if (this.ended || this.shown.outcome) this.say(`The game is over. Undo takes moves back; New game starts another.`, true);
    else if (Number(this.board.root.dataset.ply) !== this.game.moves.length) this.peek(this.game.moves.length);
    else if (!this.moving) this.say(`It is not your turn: ${this.name(this.shown.turn)} is thinking.`, true);
  }

  // play makes a move and stops the clock of its side.
  async play(text) {
    this.moving = true;
    this.still();
    try {
      if (await this.press()) return;
      const moves = [...this.game.moves, text], shown = await table({...question(this.game), moves: moves.join(" "), op: "show"});
      if (this.closed) return;
      this.game.moves = moves;
      const some = x => x.pieces?.length ?? 0;
      sound.play(shown.outcome ? 523 : some(shown) < some(this.shown) ? 220 : 392, ...(shown.outcome ? [659, 784] : []));
      this.arrive(shown);
    } catch (e) { this.say(e.message, true); this.board.release(); this.began ||= monotonic(); } finally { this.moving = false; }
  }

  // type makes the move that was typed, in any form that the game's rules read.
  async type() {
    const text = this.typed.value.trim();
    if (!text || this.seats[this.shown.turn] !== person || this.ended) return;
    this.typed.value = "";
    try {
      const {move} = await table({...question(this.game), op: "why", text});
      move ? this.move(move) : this.wrong(text);
    } catch (e) { this.say(e.message, true); }
  }

  // wrong says why a move is illegal; if illegal actions count, it is one.
  async wrong(text, preview = false) {
    try {
      const why = (await table({...question(this.game), op: "why", text})).why;
      if (this.o.strict !== "1" || this.ended || preview) { this.say(why || `${text} is not a move here.`, true); return; }
      const penalty = await table({...question(this.game), op: "penalty"});
      const side = this.shown.turn;
      if (++this.illegal[side] < this.about.strict.actions && penalty.move) { this.warned = ` Illegal action ${this.illegal[side]} of ${this.shown.sides[side].name}: ${why} The turn is lost; ${this.about.strict.actions} illegal actions lose the game.`; await this.play(penalty.move); } else this.finish(side ? "1-0" : "0-1", "illegal");
    } catch (e) { this.say(e.message, true); }
  }

  // think asks the player for its move.
  async think() {
    const ply = this.game.moves.length, side = this.shown.turn;
    const {signal} = this.thinking = new AbortController();
    const thinks = n => { if (!signal.aborted) this.thought.textContent = `${this.name(side)} is thinking…${besides(n)}`; };
    thinks(0);
    try {
      const d = await table({...question(this.game), op: "best", ...who(this.seats[side]), limits: this.budget(side), seed: this.seats[side].startsWith("engine:") ? "1" : String(this.seats[side].startsWith("level:") ? this.luck : ply + 1)}, signal, thinks);
      if (this.closed || this.game.moves.length !== ply || this.ended) return;
      if (d.fault) { this.finish(side ? "1-0" : "0-1", d.fault); this.thought.textContent = `${this.name(side)}: ${d.detail}`; return; }
      this.said[ply] = d;
      this.thought.textContent = `${this.name(side)}: ${d.text ?? d.move}` + (this.level(side) ? "" : `, ${saying(d, this.about.chance)}`);
      await this.play(d.move);
    } catch (e) {
      if (!this.closed && this.thinking.signal === signal) this.thought.textContent = ""; // no later search has begun
      if (e.name === "AbortError" || this.closed) return;
      this.line.replaceChildren(e.message, " ", el("button", {type: "button", onclick: () => { this.say(""); this.think(); }}, "Try again"));
    }
  }

  // budget is a player's limits for a move: its own, or else the time that is left, if
  // it supports one.
  budget(side) {
    if (this.seats[side].startsWith("engine:") && !this.o.limits && !this.permove && !this.pergame) return "time=1s"; // it may know no other end
    if (this.o.limits || !(this.permove || this.pergame) || !this.about.budgets.includes("time") && !this.seats[side].startsWith("engine:")) return this.o.limits;
    if (this.permove) return this.permove;
    const inc = this.pergame.split("+")[1];
    return `tc=${Math.max(this.left[side], 0.01).toFixed(3)}${inc ? "+" + inc : ""}`;
  }

  // press stops the clock by the rules of matches, and reports whether the move was too
  // late.
  async press() {
    if (!this.began || this.ended || !(this.permove || this.pergame)) return !!this.ended;
    const side = this.shown.turn, took = monotonic() - this.began, made = this.made[side] + 1;
    const sides = [[this.permove, 0], [this.pergame, this.left[side] * 1000]].filter(([clock]) => clock);
    const after = await Promise.all(sides.map(([clock, left]) => table({op: "clock", clock, left, took, made})));
    if (this.ended) return true;
    const late = after.find(a => a.late);
    if (late) { this.finish(side ? "1-0" : "0-1", late.reason); return true; }
    this.began = 0;
    this.made[side] = made;
    if (this.pergame) this.clock[this.game.moves.length] = this.left[side] = after.at(-1).left / 1000;
    return false;
  }
  tick() {
    if (!this.shown || this.closed) return;
    const spent = this.began && !this.ended ? (monotonic() - this.began) / 1000 : 0, perMove = Number(this.o.permove) || Infinity;
    const clocked = this.permove || this.pergame;
    const fallen = ["time", "clock"].includes(this.ended?.reason) ? ["0-1", "1-0"].indexOf(this.ended.outcome) : -1;
    const late = [0, 1].map(side => {
      if (side === fallen) return 0;
      const running = side === this.shown.turn && !this.ended;
      return Math.min(this.left[side] - (running ? spent : 0), running ? perMove - spent : perMove);
    });
    this.plates.forEach((c, side) => {
      const t = Math.max(0, late[side]), text = !clocked ? "" : t >= 60 ? `${Math.floor(t / 60)}:${String(Math.floor(t % 60)).padStart(2, "0")}` : t.toFixed(1);
      if (c.lastChild.textContent !== text) c.lastChild.textContent = text;
      c.dataset.turn = String(side === this.shown.turn && !this.ended);
      c.classList.toggle("low", t < 5);
    });
    if (!this.ended && this.began && !this.pressing && late[this.shown.turn] <= -0.02) { // the rules have the last word
      this.pressing = true;
      this.press().catch(e => this.say(e.message, true)).finally(() => { this.pressing = false; });
    }
  }

  undo() {
    if (this.moving) return;
    this.helped = true;
    this.thinking?.abort();
    this.still();
    let n = this.game.moves.length - 1;
    while (n > this.given && this.people() === 1 && this.seats[this.shown.turns[n]] !== person) n--; // back to the person's own move
    const moves = this.game.moves = this.game.moves.slice(0, Math.max(n, this.given));
    this.said.length = moves.length;
    this.clock.length = Math.min(this.clock.length, moves.length);
    this.ended = null;
    this.over.replaceChildren();
    this.thought.textContent = this.expected.textContent = "";
    table({...question(this.game), op: "show"}).then(shown => { if (this.game.moves === moves) this.arrive(shown); }, e => this.say(e.message, true)); // answers may overtake
  }

  // sure shows whether the next click resigns.
  sure(on) {
    clearTimeout(this.unsure);
    this.white.dataset.sure = on;
    this.white.textContent = on ? "Resign: sure?" : "Resign";
    if (on) this.unsure = setTimeout(() => this.sure(false), 5000);
  }

  resign() {
    if (this.white.dataset.sure !== "true") { this.sure(true); return; }
    this.sure(false);
    const side = this.people() === 2 ? this.shown.turn : this.seats.indexOf(person);
    this.thinking?.abort();
    this.finish(side ? "1-0" : "0-1", "resigned");
  }

  help() { if (!this.ended && (this.wants || this.analysis.root.open)) this.helped = true; }

  // rate counts a game between a person and a level, once.
  rate(outcome) {
    const side = this.seats.indexOf(person), level = this.level(1 - side);
    if (this.people() !== 1 || !level) return null;
    if (this.helped || this.game.moves.length < this.given + 2 || this.shown.rules !== this.about.review.rules) return el("p", {class: "rating"}, "This game does not count towards your level: an undo, a hint, an analysis or a chosen position helped, it has other rules, or it is too short.");
    const list = kept.get("rated." + this.about.name, []).filter(r => r.id !== this.id);
    kept.set("rated." + this.about.name, [...list, {id: this.id, level: level.number, points: {"1-0": 1 - side, "0-1": side}[outcome] ?? 0.5}].slice(-mostRated));
    return ratingText(this.about);
  }

  finish(outcome, reason) {
    if (this.ended) return;
    this.began = 0;
    this.thinking?.abort();
    this.ended = {outcome, reason};
    this.keep();
    this.board.show(this.shown, false);
    this.others.replaceChildren();
    this.board.root.dataset.outcome = outcome;
    this.white.disabled = this.even.disabled = true;
    const winner = outcome === "1-0" ? 0 : 1, words = outcome === "1/2" ? "Draw" : this.people() === 1 ? `You ${this.seats[winner] === person ? "win" : "lose"}` : `${this.name(winner)} wins`;
    this.line.classList.remove("warn");
    const how = reason === "resigned" ? words === "You lose" ? ", since you resigned" : ", since the other side resigned" : ["time", "clock"].includes(reason) ? " on time" : ` by ${ended(reason, this.shown.rules)}`;
    const n = this.game.moves.length, after = this.shown.kind === "checkered" ? several((n + 1) >> 1, "move", "moves") : several(n, "ply", "plies");
    this.say(this.status = `${words}${how}: ${outcome} after ${after}.`);
    this.over.replaceChildren(this.rate(outcome) ?? "", el("p", {class: "bar"}, this.game.moves.length > this.given ? el("button", {type: "button", class: "lost", onclick: () => this.review()}, "Where was it lost?") : null));
  }

  // write saves the game so far as a file that other programs read.
  async write(format) {
    const players = this.seats.map((seat, side) => seat === person ? "a person" : this.seatName(side)), date = new Date(parseInt(this.id, 36));
    try {
      const {name, text} = await table({...question(this.game), op: "write", format, record: {players, opening: this.given, outcome: "*", ...this.ended, date, limits: this.pergame || this.permove, left: this.clock}});
      save(name, "text/plain", text);
    } catch (e) { toast(e.message); }
  }

  // review replaces the board by a replay of the game that shows its most costly moves.
  review() {
    if (this.walk) return;
    const {outcome, reason} = this.ended;
    const moves = this.game.moves.map((move, i) => ({...this.said[i], move, side: this.shown.turns[i], opening: i < this.given}));
    const box = el("section", {class: "walk", "aria-label": "The game"}), board = root.firstChild;
    board.hidden = true;
    root.append(box);
    seen.set({review: 1});
    this.walk = new Walk(box, {...this.game, moves, outcome, reason, name: "", parts: -1, first: this.name(0), second: this.name(1), players: this.seats.map(s => s.startsWith("engine:") ? "" : s.replace(/^=/, ","))}, moves.length, {review: true, player: side => this.seatName(side), seen: {flip: this.board.flipped ? "1" : ""}, remember: () => {},
      leave: () => { this.walk.close(); this.walk = null; box.remove(); board.hidden = false; seen.set({review: ""}); $(".lost", this.over)?.focus(); }});
  }

  // aside begins a search that the next one and the next position end.
  aside() { this.looking?.abort(); return (this.looking = new AbortController()).signal; }

  async hint() {
    this.helped = true;
    const signal = this.aside(), looks = n => { this.say("Looking…" + besides(n) + " "); this.line.append(el("button", {type: "button", onclick: () => { this.looking.abort(); this.say("Stopped."); }}, "Stop")); };
    try {
      looks(0);
      const d = await table({...question(this.game), op: "best", preset: this.about.plays, limits: this.o.limits, seed: "1"}, signal, looks);
      this.say(`Hint: ${d.text ?? d.move}`);
      this.line.title = saying(d, this.about.chance);
      this.board.overlay(d.move);
    } catch (e) { if (!signal.aborted) this.say(e.message, true); }
  }

  // expects has the player play both sides: its expected continuation.
  async expects() {
    this.helped = true;
    const seat = this.seats.find(s => s !== person) ?? "", signal = this.aside();
    try {
      await goesOn({...question(this.game), ...who(seat), limits: this.o.limits, seed: "1"}, 5, line => { this.expected.textContent = "Continuation: " + line.join(" "); }, signal);
    } catch (e) { if (!signal.aborted) this.expected.textContent = e.message; }
  }

  tell() { const seat = this.seats.find(s => s !== person) ?? ""; if (this.wants) showTerms(this.terms, {...question(this.game), ...who(seat.startsWith("engine:") ? "" : seat)}); }
}

begin().catch(e => { root.replaceChildren(el("p", {class: "wait"}, e.message)); });
