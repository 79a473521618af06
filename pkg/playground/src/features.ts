/** What the page needs of a browser, and what it can do without. */

/** What is missing, in words; nothing works without these. */
export function missingFeatures(): string[] {
  const needed: [string, boolean][] = [
    ["WebAssembly", typeof WebAssembly === "object"],
    ["workers", typeof Worker === "function"],
    ["shadow roots", typeof ShadowRoot === "function"],
    ["dialogs", typeof HTMLDialogElement === "function"],
  ];
  return needed.filter(([, there]) => !there).map(([name]) => name);
}

/** Why a link can't be made or opened here; undefined when it can. */
export function noLinks(): string | undefined {
  return typeof CompressionStream === "function" && typeof DecompressionStream === "function"
    ? undefined
    : "This browser has no CompressionStream, which links need.";
}
