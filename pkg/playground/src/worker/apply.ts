/** What is tried out, written into the document: comments and everything else stay. */
import { type Document, parseDocument } from "yaml";
import type { Span } from "../document/split";
import type { Replacement, WhatIf } from "../protocol";
import { type Candidate, fieldOf } from "./candidate";
import { edits } from "./what-if";

/** The changes to the text that set the values. */
export function applied(text: string, candidate: Candidate, whatIf: WhatIf): Replacement[] {
  const { origin, path } = candidate.place;
  const profile = candidate.now === undefined ? undefined : whatIf.profile;
  const field = origin.at.length === 0 && path.length > 0 ? topLevelField(text, origin, fieldOf(candidate.kind)) : undefined;
  const part = field && parseDocument(text.slice(field.from, field.to));
  if (field && part?.errors.length === 0) {
    const stated = topLevelField(text, origin, "profile");
    const line = profile === undefined ? "" : `profile: ${profile}\n`;
    const subject = { ...field, insert: `${stated ? "" : line}${changed(part, path, whatIf)}` };
    return stated && line !== "" ? [subject, { ...stated, insert: line }] : [subject];
  }
  const whole = parseDocument(text.slice(origin.from, origin.to));
  if (profile !== undefined) whole.setIn([...origin.at, "profile"], profile);
  return [{ from: origin.from, to: origin.to, insert: changed(whole, [...origin.at, ...path], whatIf) }];
}

function changed(document: Document, path: (string | number)[], whatIf: WhatIf): string {
  for (const { path: below, value } of edits(whatIf)) {
    if (value === undefined) document.deleteIn([...path, ...below]);
    else document.setIn([...path, ...below], value);
  }
  return String(document);
}

/** A field of the document itself, with everything below it: of a large document nothing else has to be read. */
function topLevelField(text: string, { from, to }: Span, field: string): Span | undefined {
  const start = text.slice(from, to).search(new RegExp(`^${field}:`, "m"));
  if (start < 0) return undefined;
  const next = /^[^\s#-]/gm;
  next.lastIndex = from + start + field.length;
  return { from: from + start, to: Math.min(next.exec(text)?.index ?? to, to) };
}
