"use strict";
// The opening tree of runs: walk into a line by its moves, beside the board.

const form = $("#filter"), rows = $("#lines tbody"), board = new Board();
const ids = new URLSearchParams(location.search).getAll("run");
const here = values => "#" + query(Object.fromEntries(Object.entries({...seen.get(), ...values}).filter(([, v]) => v)));
const first = 20; // moves that are listed at once
let now = null; // the line that is shown

// steps are the lines on the way to one, with what leads to each.
function steps(o) {
  const list = [["Start", ""]], [start, moves] = o.line.includes(" | ") ? o.line.split(" | ") : o.tree.move || !o.line ? ["", o.line] : [o.line, ""];
  if (start) list.push([start, start]);
  let line = start && start + " |";
  for (const m of moves.split(" ").filter(Boolean)) list.push([m, line = line ? line + " " + m : m]);
  return list;
}
const below = (o, l) => !l.move ? (l.starts ? "*" : l.start || "start") : !o.line ? l.move : o.line + (o.tree.move ? " " : " | ") + l.move;
const label = l => l.move || (l.starts ? `* (${count(l.starts)} start positions)` : l.start || "Start");

// percent is a mean with its interval and number of pairs, and a picture of it: far is what
// its edges stand for, in percent from even.
const digits = x => ((Math.round(1000 * x) || 0) / 10).toFixed(1).replace("-", "−"); // no minus on 0
function percent(r, even, far) {
  if (!r) return ["–"];
  const at = x => Math.max(0, Math.min(100, 50 + 50 * (100 * x - even) / far)), tone = r.shown > 0 ? "up" : r.shown < 0 ? "down" : "";
  return [svg("svg", {viewBox: "0 0 100 10", preserveAspectRatio: "none", class: "score " + tone, "aria-hidden": "true"},
    svg("line", {x1: 50, x2: 50, y1: 0, y2: 10, class: "even"}), svg("rect", {x: at(r.low), y: 3.5, width: Math.max(0.5, at(r.high) - at(r.low)), height: 3}),
    svg("rect", {x: at(r.mean) - 0.75, y: 1, width: 1.5, height: 8, class: "mean"})),
    el("div", {}, el("span", {class: "tab"}, `${digits(r.mean)} (${digits(r.low)} to ${digits(r.high)})`, r.shown ? el("b", {title: "shown even if all lines are judged together"}, "*") : ""), " ",
    el("small", {}, `${count(r.pairs)} pair${r.pairs === 1 ? "" : "s"}`))];
}

function row(o, l, far, href) {
  const share = o.tree.games ? ` ${(100 * l.games / o.tree.games).toFixed(1)} %` : "", name = bdi(label(l));
  return el("tr", href ? {"data-move": l.move, onclick: () => { location.hash = href; }, onpointerenter: () => board.overlay(l.move), onpointerleave: () => board.overlay("")} : {class: "this"},
    el("th", {scope: "row"}, href ? el("a", {href, onfocus: () => board.overlay(l.move), onblur: () => board.overlay(""), onclick: e => e.stopPropagation()}, name) : "this line"),
    el("td", {class: "r tab"}, count(l.games), href ? el("small", {}, share) : ""),
    el("td", {"data-label": "first player"}, ...percent(l.first, 50, far[0])),
    el("td", {class: "between", "data-label": "A less B"}, ...percent(l.a_minus_b, 0, far[1])));
}

function show(o, shown) {
  now = o;
  const next = o.tree.next ?? [], lines = [o.tree, ...next].filter((l, i) => !i || 4 * l.games >= next[0].games); // wider intervals of rarer ones are cut off
  const edge = (list, even) => Math.min(even || 100, 5 * Math.ceil(Math.max(1, ...list.filter(Boolean).flatMap(r => [r.low, r.high].map(x => Math.abs(100 * x - even)))) / 5));
  const far = [edge(lines.map(l => l.first), 50), edge(lines.map(l => l.a_minus_b), 0)];
  $("#about").replaceChildren(`${count(o.games)} games`, " · ", el("span", {}, o.title), ...(o.players.length ? [" · ", el("span", {}, "A: ", bdi(o.players[0])), " · ", el("span", {}, "B: ", bdi(o.players[1]))] : []));
  $(".line").replaceChildren(...steps(o).flatMap(([text, line], i, all) => [i ? " › " : "", i === all.length - 1 ? el("b", {"aria-current": "true"}, i ? bdi(text) : text) : el("a", {href: here({line})}, i ? bdi(text) : text)]));
  $("#lines").classList.toggle("two", o.players.length > 0);
  rows.replaceChildren(row(o, o.tree, far), ...next.slice(0, first).map(l => row(o, l, far, here({line: below(o, l)}))));
  if (next.length > first) rows.append(el("tr", {}, el("td", {colspan: 4}, el("button", {type: "button", onclick: e => e.target.closest("tr").replaceWith(...next.slice(first).map(l => row(o, l, far, here({line: below(o, l)}))))}, `Show all ${count(next.length)} moves`))));
  if (o.tree.rest) rows.append(el("tr", {}, el("th", {scope: "row"}, next.length ? "others" : "no line of enough games"), el("td", {class: "r tab"}, count(o.tree.rest)), el("td"), el("td", {class: "between"})));
  const moves = steps(o).slice(1).map(s => s[0]), begins = o.board ? (o.board.position ? o.board.position + " | " : "") + o.board.moves : o.tree.starts ? "* | " + moves.filter(m => m !== "*").join(" ") : "";
  const link = id => "games?" + query({id}) + "#" + query({"f.line": begins && begins.trim() + " ", "f.phase": form.elements.phase.value});
  $("#games").replaceChildren(...ids.map((id, i) => el("a", {class: "button", href: link(id)}, "Games from here", ...(ids.length > 1 ? [": ", bdi(document.querySelectorAll("#of bdi")[i]?.textContent ?? id)] : []))));
  $("#notes").replaceChildren(el("p", {}, `Means of pairs with ${digits(o.level).replace(".0", "")} % intervals, each for its line alone; * marks what is shown if all lines are judged together.`),
    el("p", {}, `The bars end ${far[0]} % from even${o.players.length ? `, those of the difference ${far[1]} %` : ""}.`), ...o.notes.map(n => el("p", {}, said(n))));
  $(".tree").classList.toggle("bare", !shown && !o.tree.next?.[0]?.start);
  $("#board").hidden = !shown;
  $("#noboard").hidden = Boolean(shown);
  $("#next").hidden = false;
  if (shown) {
    if (!board.root.parentElement) $("#board").append(board.root);
    board.show(shown);
    board.weigh(next.map(l => l.move));
  }
  const phase = form.elements.phase;
  addOptions(phase, o.phases.map(p => [p]));
  phase.value = seen.get().phase ?? "";
  $("#phases").hidden = phase.options.length < 3;
}

// load asks for the line of the address, and says meanwhile how far the reading has come.
let turn = 0;
async function load() {
  const mine = ++turn, {line = "", phase = "", min = ""} = seen.get(), path = "data/openings?" + new URLSearchParams([...ids.map(id => ["run", id]), ["line", line], ["phase", phase], ["min", min]]);
  const progress = $("#reading");
  try {
    let o;
    for (;;) {
      o = await ask(path);
      if (mine !== turn) return;
      if (progress.hidden = Boolean(o.tree)) break;
      progress.max = o.of || 1;
      progress.value = o.read;
      $("#about").textContent = o.of ? `${count(o.read)} of ${count(o.of)} games read; each is read twice.` : "Reading the games…";
      await new Promise(next => setTimeout(next, 200));
    }
    const shown = o.board && await table({op: "show", game: o.game, rules: o.rules, ...o.board}).catch(() => null);
    if (mine === turn) show(o, shown);
  } catch (e) {
    if (mine !== turn) return;
    progress.hidden = true;
    $("#about").replaceChildren(said(e.message), " ", line ? el("a", {href: here({line: ""})}, "To the start") : "");
  }
}

addEventListener("hashchange", load);
form.addEventListener("submit", e => e.preventDefault());
form.addEventListener("change", e => {
  if (e.target.name !== "run") location.hash = here({[e.target.name]: e.target.value, line: ""});
  else location.search = "?" + new URLSearchParams([...ids, e.target.value].map(id => ["run", id]));
});
addEventListener("keydown", e => {
  if (typing() || e.ctrlKey || e.altKey || e.metaKey || !now) return;
  const links = [...rows.querySelectorAll("a")], at = links.indexOf(document.activeElement), back = steps(now).at(-2);
  if (e.key === "ArrowDown" || e.key === "ArrowUp") (links[at + (e.key === "ArrowDown" ? 1 : -1)] ?? links[at] ?? links[0])?.focus();
  else if (e.key === "ArrowRight" && at >= 0) location.hash = links[at].hash;
  else if ((e.key === "ArrowLeft" || e.key === "Backspace") && back) location.hash = here({line: back[1]});
  else if (e.key === "Home") location.hash = here({line: ""});
  else if (e.key === "f") board.flip();
  else return;
  e.preventDefault();
});

form.elements.min.value = seen.get().min ?? "";
load().then(async () => {
  const pick = form.elements.run;
  if (!now) return;
  const all = await ask("data/runs?" + query({n: 1000, game: now.game})).catch(() => ({rows: []}));
  for (const r of all.rows) if (r.games && !ids.includes(r.id)) pick.append(el("option", {value: r.id, translate: "no"}, `${r.called} (${r.what})`));
});
