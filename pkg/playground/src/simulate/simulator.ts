/** The worker that simulates: a module of its own, one piece of a run at a time, so that the page can say how far it is. */
import init, { Run } from "../../../wasm/capi_policy_simulator_web.js";
import address from "../../../wasm/capi_policy_simulator_web_bg.wasm?url";
import type { FromSimulator, ToSimulator } from "./messages";

const REPORT_EVERY = 50;
const post = (message: FromSimulator): void => postMessage(message);
const ready = init({ module_or_path: address });
let run: Run | undefined;

addEventListener("message", ({ data }: MessageEvent<ToSimulator>) => {
  ready
    .then(() => (data.type === "run" ? simulate(data) : post({ type: "json", text: run?.json() ?? "" })))
    // The simulator refuses with a text; anything else is a trap, after which the worker is not used again.
    .catch((failure: unknown) => post({ type: "failed", message: String(failure), trap: typeof failure !== "string" }));
});

function simulate({ text, seeds, compare, objects }: Extract<ToSimulator, { type: "run" }>): void {
  run?.free();
  run = undefined;
  const next = new Run(text, seeds, compare, objects);
  const pieces = next.pieces();
  let reported = performance.now();
  post({ type: "progress", done: 0, pieces });
  while (next.step()) {
    if (performance.now() - reported < REPORT_EVERY) continue;
    reported = performance.now();
    post({ type: "progress", done: next.done(), pieces });
  }
  run = next;
  post({ type: "result", view: JSON.parse(next.view()), svg: next.svg() });
}
