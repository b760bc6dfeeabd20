"use strict";
// A form that shows the command it will run.

const form = $("#ask");
form.elements.game?.setAttribute("list", "games");
const values = () => {
  const v = new URLSearchParams({kind: form.dataset.kind});
  for (const e of form.elements) if (e.name && e.value.trim()) v.append(e.name, e.value.trim());
  return v;
};
let turn = 0;
async function show() {
  const mine = ++turn;
  history.replaceState(null, "", "?" + values());
  try {
    const said = await ask("data/command", {method: "POST", body: values()});
    if (mine !== turn) return;
    $("#command").textContent = said.command;
    $("#wrong").textContent = said.error ?? "";
  } catch (e) { if (mine === turn) $("#wrong").textContent = e.message; }
}
form.addEventListener("input", () => { clearTimeout(show.timer); show.timer = setTimeout(show, 200); });
form.addEventListener("submit", async e => {
  e.preventDefault();
  try {
    const run = await act("start", values());
    location.href = "run?" + query({id: run.id});
  } catch (err) { $("#wrong").textContent = err.message; }
});
$("#copy").addEventListener("click", () => copy($("#command").textContent));
show();
