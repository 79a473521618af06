/** What a link holds beside the document. A link can come from anybody: everything is checked. */
import { profileNamed, type Question, type WhatIf } from "./protocol";

/** What is shared of the page's state. */
export interface SharedView {
  question: Question;
  note: string;
}

/** Reads what a link held; throws when it holds no session. */
export function readShared(json: string, fresh: Question): SharedView & { text: string } {
  const { text, view } = JSON.parse(json) as { text?: unknown; view?: unknown };
  if (typeof text !== "string") throw new Error("no session");
  return { text, ...readView(view, fresh) };
}

/** Reads what was kept or sent beside a text. */
export function readView(view: unknown, fresh: Question): SharedView {
  const { question: given, note } = fields(view);
  const asked = fields(given);
  const question: Question = { ...fresh, whatIf: readWhatIf(asked["whatIf"]) };
  for (const part of ["object", "start", "machine", "row"] as const) {
    const value = asked[part];
    if (typeof value === "string") question[part] = value;
  }
  for (const part of ["offset", "horizon"] as const) question[part] = seconds(asked[part]) ?? 0;
  const { complete } = asked;
  if (Array.isArray(complete)) question.complete = complete.filter((kind) => typeof kind === "string");
  return { question, note: typeof note === "string" ? note : "" };
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function readWhatIf(value: unknown): WhatIf {
  const { profile, limit, range, startup, timeouts } = (typeof value === "object" && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const whatIf: WhatIf = {};
  const known = profileNamed(profile);
  if (known !== undefined) whatIf.profile = known;
  if (typeof limit === "string") whatIf.limit = limit;
  if (typeof range === "string") whatIf.range = range;
  const startupSeconds = seconds(startup);
  if (startupSeconds !== undefined) whatIf.startup = startupSeconds;
  if (typeof timeouts === "object" && timeouts !== null) {
    whatIf.timeouts = Object.fromEntries(
      Object.entries(timeouts).flatMap(([key, each]) => (seconds(each) === undefined ? [] : [[key, seconds(each) ?? 0]])),
    );
  }
  return whatIf;
}

function seconds(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
