"use strict";
// The engines, outside the page's own thread: they are unpacked here, whatever serves
// them, and answer one question after the other.
importScripts("wasm_exec.js");

async function unpack() {
  const data = new Uint8Array(await (await fetch("engines.bin")).arrayBuffer());
  if (data[0] === 0) return data; // the server has unpacked them
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

const ready = (async () => {
  const go = new Go();
  const {instance} = await WebAssembly.instantiate(await unpack(), go.importObject);
  go.run(instance);
})();

onmessage = async e => {
  try {
    await ready;
    postMessage({id: e.data.id, answer: selfplayAnswer(e.data.question)});
  } catch (err) {
    postMessage({id: e.data.id, answer: JSON.stringify({error: "The engines cannot start: " + err.message})});
  }
};
