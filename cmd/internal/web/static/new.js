"use strict";
// A form of questions that are answered by picking. It shows what its run can find, what it costs, and
// the command it will run.

const form = $("#ask"), start = form.querySelector("[type=submit]");
const values = () => {
  const v = new URLSearchParams();
  for (const e of form.elements) {
    if (!e.name || e.name.startsWith("rule.") || /radio|checkbox/.test(e.type) && !e.checked) continue;
    for (const line of e.localName === "textarea" ? e.value.split("\n") : [e.value]) if (line.trim()) v.append(e.name, line.trim());
  }
  return v;
};

// A player is chosen from a list, whose last entry makes room for a player to be typed.
for (const list of form.querySelectorAll(".player select")) list.addEventListener("input", e => {
  if (!list.selectedOptions[0].matches("[data-other]")) return;
  e.stopPropagation(); // nothing is chosen yet
  const input = el("input", {name: list.name, autocomplete: "off", translate: "no", placeholder: "PRESET, FILE.toml, level:4"});
  list.replaceWith(input);
  input.focus();
});

// The length is chosen on a scale of steps. Without a choice it is the kind's own, which the plan tells.
const length = $("#length [type=hidden]"), scale = $("#length [type=range]");
const steps = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000].filter(n => length?.name !== "games" || n >= 1000);
const units = {pairs: "pairs", iters: "iterations", rounds: "rounds", positions: "positions", games: "games"};
function tellLength(n) {
  const text = n > 0 ? `${count(n)} ${units[length.name] ?? length.name}` : "the default length", next = steps.findIndex(s => s >= n);
  if (n > 0 && Number(length.value) !== steps[scale.value]) scale.value = next < 0 ? steps.length - 1 : next;
  if ($("#length .number").textContent !== text) $("#length .number").textContent = text;
  scale.setAttribute("aria-valuetext", text);
}
if (length) {
  scale.max = steps.length - 1;
  scale.value = steps.length >> 1;
  scale.addEventListener("input", () => { length.value = steps[scale.value]; tellLength(length.value); });
  if (length.value) tellLength(Number(length.value));
}
// The rules are asked one by one, and make one value.
const rules = form.elements.rules;
if (rules) {
  const given = rulesOf(rules.value), label = rules.closest("label");
  rules.type = "hidden";
  label.after(...JSON.parse(form.dataset.options).map(o => el("label", {class: "field"}, el("span", {translate: "no"}, o.name), ruleField(o, given[o.name]), el("small", {}, o.doc))));
  label.replaceWith(rules);
}

// wrong says what is wrong, beside the field that the sentence begins with if there is one. Nothing starts
// until it is put right.
function wrong(text) {
  const field = [...form.elements].find(e => e.name && text.startsWith(e.name + ": "));
  for (const e of form.elements) e === field ? e.setAttribute("aria-invalid", "true") : e.removeAttribute("aria-invalid");
  form.querySelector(".error")?.remove();
  if (field) (field.closest(".field, .players") ?? field).append(el("small", {class: "error", role: "alert"}, text.slice(field.name.length + 2)));
  for (let box = field; box; box = box.parentElement) if (box.localName === "details") box.open = true;
  $("#wrong").textContent = field ? "" : text;
  start.disabled = !page.may || Boolean(text);
  return field;
}

// What the answers cost; those to a question that was changed meanwhile are dropped.
let turn = 0, shown = Promise.resolve();
async function show() {
  const mine = ++turn, asked = values();
  history.replaceState(null, "", "?" + asked);
  const say = (error, cost) => { wrong(error); $("#cost").textContent = cost; $("#cost").hidden = !cost; };
  try {
    const said = await ask("data/command", {method: "POST", body: asked});
    if (mine !== turn) return;
    $("#command").textContent = said.command;
    if (length) tellLength(Number(said.length || length.value));
    if (said.error || !page.may) return say(said.error ?? "", "");
    const shows = said.finds || !said.shows.includes("{elo}") ? said.shows.replace("{elo}", number(said.finds < 10 ? said.finds : Math.round(said.finds))) : "";
    const games = `At most ${count(said.games)} games`;
    say("", said.games ? `${shows} ${games}, …`.trim() : shows);
    if (!said.games) return;
    const cost = await act("cost", asked);
    if (mine === turn) say("", `${shows} ${games}${cost.seconds ? `, about ${span(cost.seconds)} here, by games played just now, ${count(cost.workers)} at a time.` : ". How long they take is known once they are played."}`.trim());
  } catch (e) { if (mine === turn) say(e.message, ""); }
}
// Answers that come with other fields or players: the page is made again.
const remakes = ["kind", "game", "method"];
function remake(answer) {
  const next = values();
  if (answer.name === "game") for (const p of form.querySelectorAll(".player [name], .players [name], [name=rules]")) next.delete(p.name);
  location.search = next;
}
const later = () => { clearTimeout(show.timer); show.timer = setTimeout(() => { shown = show(); }, 200); };
form.addEventListener("input", e => {
  if (e.target.name.startsWith("rule.")) rules.value = rulesText(form);
  if (remakes.includes(e.target.name)) return remake(e.target);
  later();
});
let starting = false; // a second press starts no second run
addEventListener("pageshow", () => { starting = false; });
form.addEventListener("submit", async e => {
  e.preventDefault();
  if (starting) return;
  starting = true;
  try {
    clearTimeout(show.timer);
    await (shown = show());
    const run = await act("start", values());
    location.href = "run?" + query({id: run.id});
  } catch (err) {
    starting = false;
    wrong(err.message)?.focus();
  }
});
$("#copy").addEventListener("click", () => copy($("#command").textContent));
const early = [...form.elements].find(e => remakes.includes(e.name) && e.checked && !e.defaultChecked);
if (early) remake(early); // it was given before this script ran
else shown = show();
