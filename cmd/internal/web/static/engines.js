"use strict";
// Where there is no server the engines answer in a worker. To stop a thought the
// worker is ended and another one begun. A page from a file cannot read another file.
if (location.protocol === "file:")
  window.fetch = () => Promise.reject(new Error("A browser shows this page only from a web server, such as python3 -m http.server in its folder."));
{
  const here = document.currentScript.src;
  let worker, waiting = new Map(), last = 0;
  const begin = () => {
    worker = new Worker(new URL("worker.js", here));
    worker.onmessage = e => {
      waiting.get(e.data.id)?.done(JSON.parse(e.data.answer));
      waiting.delete(e.data.id);
    };
    worker.onerror = e => { for (const w of waiting.values()) w.done({error: "The engines do not start: " + e.message}); waiting.clear(); };
    for (const [id, w] of waiting) worker.postMessage({id, question: w.question});
  };
  window.engines = (question, signal) => new Promise((resolve, reject) => {
    const id = ++last, text = JSON.stringify(question);
    waiting.set(id, {question: text, done: a => a && a.error ? reject(new Error(a.error)) : resolve(a)});
    if (signal?.aborted) throw signal.reason;
    signal?.addEventListener("abort", () => {
      if (!waiting.delete(id)) return;
      worker.terminate();
      begin();
      reject(new DOMException("stopped", "AbortError"));
    });
    worker ? worker.postMessage({id, question: text}) : begin();
  });
  // Loading the engines takes a second: the page draws its board before that.
  window.engines.ready = () => worker ?? begin();
}

// offline answers from files what a server would be asked about recorded games.
const opened = new Map();
async function runFile(id) {
  if (!opened.has(id)) {
    const answer = /^\d+(\.tree)?$/.test(id) && await fetch(`runs/${id}.json`);
    if (!answer.ok) throw new Error("There is no such run here.");
    opened.set(id, answer.json());
  }
  return opened.get(id);
}
// follows reports whether a game begins as a text, as the server does.
const follows = (g, line) => {
  const moves = g.moves.map(m => m.move).join(" ") + " ";
  return line.startsWith("* | ") ? moves.startsWith(line.slice(4)) : ((g.position ? g.position + " | " : "") + moves).startsWith(line);
};

// treeAt is a line of a run's opening tree, as the server finds it.
async function treeAt(id, line) {
  const all = await runFile(id + ".tree"), [start, moves] = line.includes(" | ") ? line.split(" | ") : ["", line];
  const board = {position: all.tree.start ?? "", moves};
  let tree = all.tree;
  const root = tree.next?.find(l => !l.move && (l.starts ? "*" : l.start) === (start || moves));
  if (root) {
    tree = root;
    Object.assign(board, {position: root.start, moves: start ? moves : ""});
  }
  for (const move of board.moves.split(" ").filter(Boolean)) {
    tree = tree.next?.find(l => l.move === move);
    if (!tree) throw new Error("There is no such line here.");
  }
  const several = tree.starts || tree === all.tree && tree.next?.[0] && !tree.next[0].move;
  return {...all, line, tree, board: several ? null : board};
}

window.offline = async path => {
  const url = new URL(path, location.href), q = url.searchParams;
  if (url.pathname.endsWith("data/runs")) return (await fetch("runs/index.json")).json();
  if (url.pathname.endsWith("data/openings")) return treeAt(q.get("run") || "1", q.get("line") ?? "");
  const run = await runFile(q.get("id") || "1");
  if (url.pathname.endsWith("data/game")) {
    const game = run.games.find(g => g.name === q.get("game"));
    if (!game) throw new Error("There is no such game here.");
    return game;
  }
  const has = (text, part) => text.toLowerCase().includes((part ?? "").toLowerCase());
  const fits = run.games.filter(g => has(g.first + "\n" + g.second, q.get("player")) && follows(g, q.get("line") ?? "") && (!q.get("phase") || g.phase === q.get("phase")) && (!q.get("reason") || g.reason === q.get("reason")) &&
    (!q.get("outcome") || g.outcome === q.get("outcome")) && g.plies >= Number(q.get("min") ?? 0) && (!q.get("max") || g.plies <= Number(q.get("max"))) && (!q.get("upset") || g.upset));
  const from = Number(q.get("after") ?? 0);
  return {games: fits.slice(from, from + 100), more: fits.length > from + 100, reasons: [...new Set(run.games.map(g => g.reason))].sort(), phases: [...new Set(run.games.map(g => g.phase))]};
};
