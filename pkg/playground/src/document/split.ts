/**
 * Text in, the documents of the stream out; of large documents, the items of their top-level lists apart.
 *
 * Items that stand apart are parsed apart, so that a key pressed in a fleet of thousands costs one item, not all of them.
 */

/** A stretch of the text. */
export interface Span {
  from: number;
  to: number;
}

/** One document of a YAML stream. */
export interface DocumentSpan extends Span {
  /** Lists at the top level, `items` of a List for instance; empty for documents that are parsed as a whole. */
  lists: { key: string; items: Span[] }[];
}

const LARGE = 100_000;

/** The documents of a stream, from a position on. */
export function splitDocuments(text: string, start = 0): DocumentSpan[] {
  const documents: DocumentSpan[] = [];
  const marker = /^(?:---(?=[\s]|$)|\.\.\.\s*$)[^\n]*(?:\n|$)/gm;
  marker.lastIndex = start;
  let from = start;
  for (const { index, 0: line } of text.matchAll(marker)) {
    // What follows the marker on its own line belongs to the next document: blank it out of neither.
    const inline = /^---[ \t]+[^#\s]/.test(line);
    push(documents, text, from, index);
    from = inline ? index : index + line.length;
  }
  push(documents, text, from, text.length);
  return documents;
}

function push(documents: DocumentSpan[], text: string, from: number, to: number): void {
  // Nothing but empty lines and comments is no document.
  if (!/^[ \t]*[^#\s]/m.test(text.slice(from, to))) return;
  documents.push({ from, to, lists: to - from > LARGE ? topLevelLists(text, from, to) : [] });
}

/** Block lists directly below a top-level key. Anchors may tie items together: then there are none. */
function topLevelLists(text: string, from: number, to: number): DocumentSpan["lists"] {
  if (/[-:] +[&*]\w/.test(text.slice(from, to))) return [];
  const lists: DocumentSpan["lists"] = [];
  let list: { key: string; items: Span[]; indent: string | undefined } | undefined;
  const endItem = (at: number): void => {
    const last = list?.items.at(-1);
    if (last && last.to === -1) last.to = at;
  };
  for (let at = from; at < to;) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 || newline >= to ? to : newline + 1;
    const key = text[at] === " " || text[at] === "-" || text[at] === "#" ? null : /^([A-Za-z]\w*):[ \t]*\r?\n?$/.exec(text.slice(at, end));
    const dash = list && /^( *)-(?=\s|$)/.exec(text.slice(at, Math.min(end, at + 40)));
    if (list && dash && (list.indent ?? dash[1]) === dash[1]) {
      list.indent = dash[1];
      endItem(at);
      list.items.push({ from: at, to: -1 });
    } else if (text[at] !== " " && text[at] !== "#" && text[at] !== "\n" && text[at] !== "\r") {
      endItem(at);
      list = key ? { key: key[1] ?? "", items: [], indent: undefined } : undefined;
      if (list) lists.push(list);
    } else if (list?.items.length === 0 && text.slice(at, end).trim() !== "") {
      // A mapping, or a comment that only a parser should judge.
      list = undefined;
    }
    at = end;
  }
  endItem(to);
  return lists.filter(({ items }) => items.length > 0);
}
