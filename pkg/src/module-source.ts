/** The policy's module: its address for browsers and bundlers, its bytes in Node, whose `fetch` reads no files. */
export function moduleSource(): URL | Promise<Uint8Array> {
  const address = new URL("../wasm/capi_policy_bg.wasm", import.meta.url);
  // Asked for without an import, which bundlers would follow.
  const files = address.protocol === "file:" ? globalThis.process?.getBuiltinModule?.("node:fs/promises") : undefined;
  return files ? files.readFile(address) : address;
}
