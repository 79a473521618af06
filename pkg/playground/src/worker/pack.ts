/** A session as text for the fragment of an address, and back. */

/** How much text a link may hold: anybody can make one, and opening it must not cost the page its life. */
const LARGEST = 8 << 20;

/** Compresses a value. */
export async function pack(value: unknown): Promise<string> {
  const text = new Blob([JSON.stringify(value)]);
  if (text.size > LARGEST) throw new Error(`A link holds at most 8 MB of text, this session has ${megabytes(text.size)}.`);
  const compressed = text.stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(compressed).arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Decompresses what `pack` made; throws on anything else. */
export async function unpack(packed: string): Promise<unknown> {
  const binary = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > LARGEST) {
      await reader.cancel();
      throw new TooLarge("it holds more than 8 MB of text");
    }
    text += decoder.decode(value, { stream: true });
  }
  return JSON.parse(text + decoder.decode());
}

/** A link that holds more than a page should open. */
export class TooLarge extends Error {}

function megabytes(bytes: number): string {
  return `${(bytes / (1 << 20)).toFixed(1)} MB`;
}
