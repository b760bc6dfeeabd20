"use strict";
// The list of runs. The server finds and sorts them and sends a page of them.

const form = $("#filter"), body = $("#runs tbody"), perPage = 100;
const wanted = seen.get(), picked = new Set(wanted.pick?.split("\u0001"));
const order = {sort: wanted.sort ?? "created", reverse: wanted.reverse ?? "", from: Number(wanted.from ?? 0)};

// The results of all rows share an axis of Elo with few marks, which reaches no farther than maxReach.
const maxReach = 400, marksOf = 4;
function axisOf(rows) {
  const ends = rows.flatMap(r => r.interval?.slice(1) ?? []), near = x => Math.max(-maxReach, Math.min(maxReach, x));
  let low = near(Math.min(0, ...ends)), high = near(Math.max(0, ...ends));
  if (low === high) [low, high] = [-100, 100];
  const step = [5, 10, 20, 50, 100, 200].find(s => (high - low) / s <= marksOf) ?? 400, free = 0.06 * (high - low);
  low -= free; high += free;
  const marks = [];
  for (let m = Math.ceil(low / step) * step; m <= high; m += step) marks.push(m);
  return {low, high, marks, key: [low, high].join(), at: x => (100 * (x - low) / (high - low)).toFixed(2) + "%"};
}

// forest draws a result on the axis: a line at zero, the interval, and a dot. An arrow marks an end beyond the axis.
function forest(row, axis) {
  const drawing = svg("svg", {class: "forest", "aria-hidden": "true", "data-axis": axis.key}, ...axis.marks.map(m => svg("line", {x1: axis.at(m), x2: axis.at(m), y1: 0, y2: "100%", stroke: m ? "var(--fig-grid)" : "var(--fig-pale)"})));
  if (!row.interval) return drawing;
  const [elo, low, high] = row.interval, colour = `var(--fig-${{yes: "green-text", no: "warm"}[row.answer] ?? "blue"})`;
  const held = x => axis.at(Math.max(axis.low, Math.min(axis.high, x)));
  drawing.append(svg("line", {x1: held(low), x2: held(high), y1: "50%", y2: "50%", stroke: colour, "stroke-width": 3, "stroke-opacity": 0.55}));
  for (const [end, sign] of [[low, -1], [high, 1]]) {
    if (end < axis.low || end > axis.high) drawing.append(svg("svg", {x: held(end), y: "50%", overflow: "visible"}, svg("path", {d: `M${-7 * sign} -5L0 0L${-7 * sign} 5`, fill: "none", stroke: colour, "stroke-width": 2})));
  }
  if (elo > axis.low && elo < axis.high) drawing.append(svg("circle", {cx: axis.at(elo), cy: "50%", r: 4.5, fill: colour, stroke: "var(--fig-paper)"}));
  return drawing;
}

// scale writes the marks of the axis into the head of the table.
function scale(axis) {
  $("#scale").replaceChildren(...axis.marks.map(m => { const text = svg("text", {x: axis.at(m), y: "1em"}); text.textContent = (m > 0 ? "+" : "") + count(m).replace("-", "−"); return text; }));
}

// lasted is how long a run was played; that of one that is played goes on.
const lasted = row => row.seconds + (row.since ? Math.max(0, (Date.now() - new Date(row.since)) / 1000) : 0);
const answers = {yes: "yes", no: "no", undecided: "not decided"};

function line(row) {
  const tick = el("input", {type: "checkbox", "aria-label": "compare " + row.name, onchange: e => {
    e.target.checked ? picked.add(row.id) : picked.delete(row.id);
    seen.set({pick: [...picked].join("\u0001")});
    showPicked();
  }});
  tick.checked = picked.has(row.id);
  const broken = row.state === "broken", text = [el("span", {class: "question"}, row.question || row.what), " ", bdi(row.name)];
  const tags = row.tags.map(t => el("span", {class: "tag"}, bdi(t)));
  return el("tr", {"data-id": row.id, "data-state": row.state},
    el("td", {}, broken ? "" : tick),
    el("td", {}, broken ? bdi(row.name) : el("a", {href: "run?" + query({id: row.id})}, ...text),
      el("span", {class: "sub"}, ...tags, page.may && !broken ? el("button", {class: "tag", title: "change the tags", "aria-label": "+ tag: " + row.name, onclick: () => retag(row)}, "+ tag") : ""),
      row.note ? el("div", {class: "sub noted"}, bdi(row.note)) : "",
      row.state === "running" && !row.calls ? el("div", {class: "latest", "data-id": row.id}) : ""),
    el("td", {}, row.answer ? el("b", {class: "answer " + row.answer}, row.answer === "undecided" && row.state !== "finished" ? "no answer yet" : answers[row.answer]) : "", " ", row.state === "finished" ? "" : el("span", {class: "state " + row.state}, row.state), " ",
      el("span", {class: "result"}, said(row.fault || row.result))),
    el("td", {}, svg("svg", {class: "forest"})),
    el("td", {class: "r tab short", "data-label": row.calls ? false : "games"}, row.calls ? `${count(row.calls)} calls` : count(row.games)),
    el("td", {class: "tab short"}, row.created.startsWith("0001") ? "–" : when(row.created), " ", row.seconds || row.since ? el("div", {class: "sub lasted"}, "for " + span(lasted(row))) : ""));
}

async function retag(row) {
  const text = prompt(language.of("Tags of " + row.name + ", separated by commas:"), row.tags.join(", "));
  if (text === null) return;
  const values = new URLSearchParams({id: row.id});
  for (const t of text.split(",").map(t => t.trim()).filter(Boolean)) values.append("tag", t);
  try {
    await act("label", values);
    update();
  } catch (e) { toast(e.message); }
}

function showPicked() {
  for (const [name, text] of [["compare", `Compare ${picked.size} run${picked.size === 1 ? "" : "s"}`], ["openings", "Their openings"]]) {
    const a = $("#" + name);
    a.hidden = picked.size === 0;
    a.textContent = text;
    a.href = name + "?" + new URLSearchParams([...picked].map(id => ["run", id]));
  }
}

// show draws the list again; where a row is as before its element stays.
let drawn = new Map();
function show(list) {
  const now = new Map(list.rows.map(row => {
    const old = drawn.get(row.id);
    return [row.id, old?.row.version === row.version ? old : {row, element: line(row)}];
  }));
  const axis = axisOf(list.rows);
  scale(axis);
  for (const {row, element} of now.values()) {
    const old = $(".forest", element);
    if (old.dataset.axis !== axis.key) old.replaceWith(forest(row, axis));
  }
  for (const [id, {element}] of now) element.querySelector(".latest")?.replaceChildren(...[boards.get(id)?.root].filter(Boolean));
  drawn = now;
  const elements = [...now.values()].map(d => d.element), focus = document.activeElement, place = focus?.closest?.("tr")?.dataset.id, what = focus?.className;
  if (elements.length !== body.children.length || elements.some((e, i) => body.children[i] !== e)) body.replaceChildren(...elements);
  if (place && focus !== document.activeElement) (focus.isConnected ? focus : $(what ? "." + what : "input, a", now.get(place)?.element ?? body))?.focus();
  $("#count").textContent = `${count(list.found)} of ${count(list.all)}` + (list.waiting ? `, reading ${count(list.waiting)}` : "");
  $("#none").hidden = list.found > 0 || list.waiting > 0;
  $("#turn").hidden = list.found <= perPage;
  $("#turn span").textContent = `${count(order.from + 1)} to ${count(Math.min(order.from + perPage, list.found))} of ${count(list.found)}`;
  $("#turn [value='-1']").disabled = order.from === 0;
  $("#turn [value='1']").disabled = order.from + perPage >= list.found;
  for (const th of document.querySelectorAll("th[data-sort]")) {
    const down = ("down" in th.dataset) !== Boolean(order.reverse);
    th.setAttribute("aria-sort", th.dataset.sort !== order.sort ? "none" : down ? "descending" : "ascending");
  }
  for (const [name, values] of [["game", list.games], ["kind", list.kinds.map(k => [k])]]) {
    const select = form.elements[name];
    addOptions(select, values);
    if (wanted[name]) { select.value = wanted[name]; delete wanted[name]; }
  }
}

// asked is what the list is asked for, and keep has the address keep it. The page asks for the
// usual list itself, before this script is there.
function asked() {
  const fields = [...form.elements].map(e => [e.name, e.value || wanted[e.name]]);
  return Object.fromEntries(Object.entries({...Object.fromEntries(fields), ...order, n: perPage}).filter(([, value]) => value));
}
function keep(from = 0) {
  order.from = from;
  seen.set({...Object.fromEntries([...form.elements].map(e => [e.name, e.value])), ...order, from: from || ""});
  update();
}

let asking = false, again = false, latest = {};
async function update() {
  if (asking) { again = true; return; }
  asking = true;
  try {
    do {
      again = false;
      latest = await ask("data/runs?" + query(asked()));
      const screenful = Math.ceil(innerHeight / 50);
      if (!drawn.size && latest.rows.length > screenful && !document.hidden) { // is painted before the other rows are made
        show({...latest, rows: latest.rows.slice(0, screenful)});
        await new Promise(next => requestAnimationFrame(() => setTimeout(next)));
      }
      await released();
      show(latest);
      if (!boards.size) look(); // at once, then every two seconds
    } while (again);
  } catch (e) {
    $("#count").textContent = e.message;
  } finally {
    asking = false;
  }
}

// The latest boards of the runs that are played, and how long these last.
const boards = new Map();
async function look() {
  for (const [id, {row, element}] of drawn) if (row.since) $(".lasted", element).textContent = "for " + span(lasted(row));
  if (document.hidden) return;
  for (const box of [...document.querySelectorAll(".latest")].slice(0, 4)) {
    try {
      const {games} = await ask("data/live?" + query({id: box.dataset.id}));
      if (!games) continue;
      if (!boards.has(box.dataset.id)) boards.set(box.dataset.id, new Board());
      const board = boards.get(box.dataset.id);
      board.root.removeAttribute("tabindex");
      board.plain = true;
      board.show(games[0]);
      if (board.root.parentElement !== box) box.replaceChildren(board.root);
    } catch { /* the run has ended: the list says so */ }
  }
}
setInterval(look, 2000);

for (const e of form.elements) if (wanted[e.name] && e.tagName === "INPUT" || e.name === "state" && wanted.state) { e.value = wanted[e.name]; delete wanted[e.name]; }
form.addEventListener("input", () => keep());
form.addEventListener("submit", e => e.preventDefault());
for (const th of document.querySelectorAll("th[data-sort]")) {
  th.addEventListener("click", () => {
    order.reverse = order.sort === th.dataset.sort && !order.reverse ? "1" : "";
    order.sort = th.dataset.sort;
    keep();
  });
}
$("#turn").addEventListener("click", e => {
  if (!e.target.value) return;
  keep(Math.max(0, order.from + e.target.value * perPage));
  scrollTo(0, 0);
});
addEventListener("keydown", e => {
  if (e.key === "/" && !typing()) { e.preventDefault(); form.elements.find.focus(); }
});
update();
showPicked();
follow("", now => { if (now.version !== latest.version || now.waiting !== latest.waiting) update(); });
