"use strict";
// A form of three questions that shows what its run costs and the command it will run.

const form = $("#ask"), length = $("#length :is(input, select)");
const values = () => {
  const v = new URLSearchParams();
  for (const e of form.elements) {
    if (!e.name || e.name.startsWith("rule.") || e.type === "radio" && !e.checked) continue;
    for (const line of e.localName === "textarea" ? e.value.split("\n") : [e.value]) if (line.trim()) v.append(e.name, line.trim());
  }
  return v;
};
// The rules are asked one by one, and make one value.
const rules = form.elements.rules;
if (rules) {
  const given = rulesOf(rules.value), label = rules.closest("label");
  rules.type = "hidden";
  label.after(...JSON.parse(form.dataset.options).map(o => el("label", {class: "field"}, el("span", {translate: "no"}, o.name), ruleField(o, given[o.name]), el("small", {}, o.doc))));
  label.replaceWith(rules);
}

// wrong says what is wrong, and marks the field that the sentence begins with.
function wrong(text) {
  $("#wrong").textContent = text;
  const field = [...form.elements].find(e => text.startsWith(e.name + ": ") && e.name);
  for (const e of form.elements) e === field ? e.setAttribute("aria-invalid", "true") : e.removeAttribute("aria-invalid");
  return field;
}

// What the answers cost; those to a question that was changed meanwhile are dropped.
let turn = 0, shown = Promise.resolve();
async function show() {
  const mine = ++turn, asked = values();
  const address = values();
  address.delete("minutes");
  history.replaceState(null, "", "?" + address);
  const say = (error, cost) => { wrong(error); $("#cost").textContent = cost; };
  try {
    const said = await ask("data/command", {method: "POST", body: asked});
    if (mine !== turn) return;
    if (!asked.has("minutes")) $("#command").textContent = said.command;
    if (said.error || !page.may) return say(said.error ?? "", "");
    const cost = await act("cost", asked);
    if (mine !== turn) return;
    if (cost.length) length.value = cost.length;
    $("#command").textContent = cost.command;
    say("", !cost.games ? "" : cost.seconds
      ? `At most ${count(cost.games)} games, about ${span(cost.seconds)} here, by games played just now, ${count(cost.workers)} at a time.`
      : `At most ${count(cost.games)} games. How long they take is known once they are played.`);
  } catch (e) { if (mine === turn) say(e.message, ""); }
}
// Answers that come with other fields or players: the page is made again.
const remakes = ["kind", "game", "method"];
function remake(answer) {
  const next = values();
  if (answer.name === "game") for (const p of form.querySelectorAll("[list=players], [name=rules]")) next.delete(p.name);
  location.search = next;
}
const later = () => { clearTimeout(show.timer); show.timer = setTimeout(() => { shown = show(); }, 200); };
form.addEventListener("input", e => {
  if (e.target.name.startsWith("rule.")) rules.value = rulesText(form);
  if (e.target === length) form.elements.minutes.value = "";
  if (remakes.includes(e.target.name)) return remake(e.target);
  if (e.target.name === "minutes" && !e.target.value) length.value = "";
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
    const asked = values();
    asked.delete("minutes");
    const run = await act("start", asked);
    location.href = "run?" + query({id: run.id});
  } catch (err) {
    starting = false;
    const field = wrong(err.message);
    for (let box = field; box; box = box.parentElement) if (box.localName === "details") box.open = true;
    field?.focus();
  }
});
$("#copy").addEventListener("click", () => copy($("#command").textContent));
const early = [...form.elements].find(e => remakes.includes(e.name) && e.checked && !e.defaultChecked);
if (early) remake(early); // it was given before this script ran
else shown = show();
