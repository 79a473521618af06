import { readFile } from "node:fs/promises";

/** The module itself: Node's fetch reads no files. */
export function moduleSource(): Promise<BufferSource> {
  return readFile(new URL("../wasm/capi_policy_bg.wasm", import.meta.url));
}
