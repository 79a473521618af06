/** What is tried out, written into the document: comments and everything else stay. */
import { parseDocument } from "yaml";
import type { Candidate } from "../document/snapshots";
import type { WhatIf } from "../protocol";
import { edits } from "./what-if";

/** The whole text with the values set. */
export function applied(text: string, candidate: Candidate, whatIf: WhatIf): string {
  const { origin, path } = candidate.origin([candidate.field]);
  const part = parseDocument(text.slice(origin.from, origin.to));
  for (const { path: below, value } of edits(whatIf)) {
    const whole = [...origin.at, ...path, ...below];
    if (value === undefined) part.deleteIn(whole);
    else part.setIn(whole, value);
  }
  if (whatIf.profile !== undefined && candidate.now !== undefined) part.setIn([...origin.at, "profile"], whatIf.profile);
  return text.slice(0, origin.from) + String(part) + text.slice(origin.to);
}
