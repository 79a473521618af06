/** A page that embeds the playground passes objects in: `frame.contentWindow.postMessage({ type: "capi-policy/open", objects }, origin)`. */

import type { Source } from "./protocol";

/** What an embedding page wants shown. */
export interface Embedded {
  source: Source;
  now: string | undefined;
}

/** Listens to the page around this one, and tells it that the playground is ready; does nothing where there is none. */
export function startEmbedding(opened: (embedded: Embedded) => void): void {
  if (parent === window) return;
  addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
    const embedded = source === parent ? read(data) : undefined;
    if (embedded) opened(embedded);
  });
  // Nothing about the document: whoever embeds may know that the page is there.
  parent.postMessage({ type: "capi-policy/ready" }, "*");
}

function read(data: unknown): Embedded | undefined {
  if (typeof data !== "object" || data === null || !("type" in data) || data.type !== "capi-policy/open") return undefined;
  const { objects, text, now } = data as { objects?: unknown; text?: unknown; now?: unknown };
  const moment = typeof now === "string" ? now : undefined;
  if (typeof text === "string") return { source: text, now: moment };
  return Array.isArray(objects) ? { source: { objects }, now: moment } : undefined;
}
