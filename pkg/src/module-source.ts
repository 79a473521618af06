/** Where the module is, for browsers and bundlers. */
export function moduleSource(): URL {
  return new URL("../wasm/capi_policy_bg.wasm", import.meta.url);
}
