// The component's own module, called as its interface `json` is: the answers that the package has to give.
import { readFileSync } from "node:fs";

const FILE = new URL("../../dist/capi_policy.core.wasm", import.meta.url);

/** A function from a snapshot to the component's answer, `{ evaluation }` or `{ error }`: the text that it gave. */
export function loadComponent() {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(FILE)), {});
  const name = Object.keys(exports).find((each) => /^capi:policy\/json@[^#]*#evaluate$/.test(each));
  const bytes = (at, length) => new Uint8Array(exports.memory.buffer, at, length);
  return (snapshot) => {
    const text = new TextEncoder().encode(JSON.stringify(snapshot));
    const at = exports.cabi_realloc(0, 0, 1, text.length);
    bytes(at, text.length).set(text);
    const area = exports[name](at, text.length);
    const [isError, start, length] = new Uint32Array(exports.memory.buffer, area, 3);
    const answer = new TextDecoder("utf-8", { fatal: true }).decode(bytes(start, length));
    exports[`cabi_post_${name}`](area);
    return (isError & 1) === 1 ? { error: JSON.parse(answer).message } : { evaluation: answer };
  };
}
