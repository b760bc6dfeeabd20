"use strict";
// The list of runs.

const rows = new Map();
let version = 0, waiting = 0;
const form = $("#filter"), body = $("#runs tbody");
const order = {by: "created", down: true};
const picked = new Set(seen.get().pick?.split("\u0001"));

function fits(row) {
  const f = form.elements, find = f.find.value.toLowerCase();
  if (f.game.value && row.title !== f.game.value || f.kind.value && row.kind !== f.kind.value || f.state.value && row.state !== f.state.value) return false;
  return !find || [row.name, row.id, row.what, row.result, ...row.tags].some(t => t.toLowerCase().includes(find));
}

function compare(a, b) {
  const x = a[order.by], y = b[order.by];
  const sign = typeof x === "number" ? x - y : String(x).localeCompare(String(y));
  return (order.down ? -sign : sign) || a.id.localeCompare(b.id);
}

function line(row) {
  const tick = el("input", {type: "checkbox", "aria-label": "compare " + row.name, onchange: e => {
    e.target.checked ? picked.add(row.id) : picked.delete(row.id);
    seen.set({pick: [...picked].join("\u0001")});
    showPicked();
  }});
  tick.checked = picked.has(row.id);
  const name = row.state === "broken" ? bdi(row.name) : el("a", {href: "run?" + query({id: row.id})}, bdi(row.name));
  const tags = row.tags.map(t => el("span", {class: "tag"}, bdi(t)));
  return el("tr", {"data-id": row.id},
    el("td", {}, row.state === "broken" ? "" : tick),
    el("td", {}, name, el("div", {class: "sub"}, said(row.what), " ", ...tags, page.may && row.state !== "broken" ? el("button", {class: "tag", title: "change the tags", "aria-label": "+ tag: " + row.name, onclick: () => retag(row)}, "+ tag") : "")),
    el("td", {class: "short"}, said(row.title)),
    el("td", {class: "short"}, row.kind),
    el("td", {class: "short"}, el("span", {class: "state " + row.state}, row.state)),
    el("td", {class: "result"}, said(row.fault || row.result)),
    el("td", {class: "r tab short", "data-label": "games"}, count(row.games)),
    el("td", {class: "r tab short", "data-label": "games/s"}, row.rate ? (row.rate < 1000 ? number : count)(Number(row.rate.toPrecision(3))) : "–"),
    el("td", {class: "tab"}, row.created.startsWith("0001") ? "–" : when(row.created)));
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
  const a = $("#compare");
  a.hidden = picked.size === 0;
  a.textContent = `Compare ${picked.size} run${picked.size === 1 ? "" : "s"}`;
  a.href = "compare?" + new URLSearchParams([...picked].map(id => ["run", id]));
}

// show draws the list again; where a row is as before its element stays.
const drawn = new Map();
function show() {
  const list = [...rows.values()].filter(fits).sort(compare);
  const elements = list.map(row => {
    const old = drawn.get(row.id);
    if (old && old.row === row) return old.element;
    const element = line(row);
    drawn.set(row.id, {row, element});
    return element;
  });
  const focus = document.activeElement;
  if (elements.length !== body.children.length || elements.some((e, i) => body.children[i] !== e)) body.replaceChildren(...elements);
  if (focus && focus.isConnected && focus !== document.activeElement) focus.focus();
  $("#count").textContent = `${count(list.length)} of ${count(rows.size)}` + (waiting ? `, reading ${count(waiting)}` : "");
  $("#none").hidden = list.length > 0 || waiting > 0;
  for (const th of document.querySelectorAll("th[data-sort]")) {
    th.setAttribute("aria-sort", th.dataset.sort !== order.by ? "none" : order.down ? "descending" : "ascending");
  }
  for (const [name, key] of [["game", "title"], ["kind", "kind"]]) {
    const select = form.elements[name], had = new Set([...select.options].map(o => o.value));
    for (const value of new Set([...rows.values()].map(r => r[key]))) {
      if (value && !had.has(value)) select.append(el("option", {value}, value));
    }
    if (wanted[name]) { select.value = wanted[name]; if (select.value) delete wanted[name]; }
  }
}

let asking = false, again = false;
async function update() {
  if (asking) { again = true; return; }
  asking = true;
  try {
    do {
      again = false;
      const news = await ask("data/runs?" + query({after: version}));
      for (const row of news.rows) rows.set(row.id, row);
      const there = new Set(news.ids);
      for (const id of rows.keys()) if (!there.has(id)) { rows.delete(id); drawn.delete(id); }
      version = news.version;
      waiting = news.waiting;
      show();
    } while (again);
  } catch (e) {
    $("#count").textContent = e.message;
  } finally {
    asking = false;
  }
}

const wanted = seen.get();
for (const e of form.elements) if (wanted[e.name] && e.tagName === "INPUT" || e.name === "state" && wanted.state) e.value = wanted[e.name];
if (wanted.sort) { order.by = wanted.sort.replace("-", ""); order.down = wanted.sort.startsWith("-"); }
form.addEventListener("input", () => {
  seen.set(Object.fromEntries([...form.elements].map(e => [e.name, e.value])));
  show();
});
form.addEventListener("submit", e => e.preventDefault());
for (const th of document.querySelectorAll("th[data-sort]")) {
  th.addEventListener("click", () => {
    const by = th.dataset.sort;
    order.down = order.by === by ? !order.down : ["games", "rate", "created"].includes(by);
    order.by = by;
    seen.set({sort: (order.down ? "-" : "") + by});
    show();
  });
}
addEventListener("keydown", e => {
  if (e.key === "/" && !/INPUT|SELECT|TEXTAREA/.test(document.activeElement.tagName)) { e.preventDefault(); form.elements.find.focus(); }
});
update();
showPicked();
follow("", update);
