const box = document.querySelector("input[type=search]"), found = document.querySelector("#found"), contents = document.querySelector("#contents");
// Pages that hold every word, those with the words in their titles first.
function search(query) {
  const words = query.toLowerCase().split(/\s+/).filter(w => w);
  const score = p => {
    const title = p.title.toLowerCase(), text = p.text.toLowerCase();
    if (!words.every(w => title.includes(w) || text.includes(w))) return 0;
    return words.reduce((sum, w) => sum + (title.includes(w) ? 100 : 0) + Math.min(50, text.split(w).length - 1), 1);
  };
  return words.length ? pages.map(p => [score(p), p]).filter(([s]) => s > 0).sort(([a], [b]) => b - a).map(([, p]) => p) : [];
}
function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word.toLowerCase()) - 40);
  return (at ? "…" : "") + text.slice(at, at + 120) + "…";
}
box.addEventListener("input", () => {
  contents.hidden = box.value.trim() !== "";
  found.replaceChildren(...search(box.value).slice(0, 20).map(p => {
    const link = document.createElement("a"), small = document.createElement("small");
    link.href = document.body.dataset.up + p.url;
    link.textContent = p.title;
    small.textContent = excerpt(p.text, box.value.trim().split(/\s+/)[0]);
    link.append(document.createElement("br"), small);
    return link;
  }));
  if (box.value.trim() && !found.childElementCount) found.textContent = "No page holds all of these words.";
});
