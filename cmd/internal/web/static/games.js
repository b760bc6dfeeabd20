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
    bdi(g.first), " – ", bdi(g.second), ` ${g.outcome}`, el("small", {}, `${g.name} · by ${ended(g.reason)} · ${g.plies} plies${g.upset ? " · upset" : ""}`));
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
    for (const [name, values] of [["reason", answer.reasons], ["phase", answer.phases]]) addOptions(form.elements[name], values.map(v => [v, name === "reason" ? ended(v) : v]));
    $("#phases").hidden = form.elements.phase.options.length < 3;
    $("#more").hidden = !answer.more;
    $("#found").textContent = found.length ? `${count(found.length)} games${answer.more ? ", and more" : ""}` : "No game matches.";
    mark();
    if (!walk && !seen.get().game && found.length) open(found[0].name, 0);
  } catch (e) { $("#found").textContent = e.message; }
}

function mark() {
  for (const b of list.querySelectorAll("button")) b.setAttribute("aria-current", String(walk?.name === b.dataset.name));
}

// open shows a game at a ply; of several in a row the last counts.
let wish = 0;
async function open(name, ply, again = false) {
  const mine = ++wish;
  try {
    const game = await ask("data/game?" + query({id: page.id, game: name}), {method: again ? "POST" : "GET"});
    if (mine !== wish) return;
    walk?.close();
    walk = new Walk($("#walk"), game, ply, {seen: {...seen.get()}, remember: seen.set, again: () => open(game.name, walk.ply, true), other: () => ask("data/game?" + query({id: page.id, game: game.other}))});
    mark();
  } catch (e) { if (mine === wish) toast(e.message); }
}

const at = seen.get();
if (at["f.phase"]) form.elements.phase.append(el("option", {value: at["f.phase"]}, at["f.phase"]));
for (const e of form.elements) if (at["f." + e.name]) e.type === "checkbox" ? e.checked = true : e.value = at["f." + e.name];
form.addEventListener("input", () => {
  const f = filters();
  seen.set(Object.fromEntries([...form.elements].map(e => ["f." + e.name, f[e.name] ?? ""])));
  clearTimeout(find.timer);
  find.timer = setTimeout(find, 250);
});
form.addEventListener("submit", e => e.preventDefault());
$("#more").addEventListener("click", () => find(true));
const arrive = () => { // Back, too
  const {game, ply = 0} = seen.get();
  if (game) open(game, Number(ply));
};
addEventListener("hashchange", arrive);
arrive();
find();
