/** A table with the way to its decision: what was asked, what held, what was never reached. */
import type { Explanation, Profile, Row, Table } from "capi-policy";
import { el } from "../element";

/** Draws the table; `row` is the row that decided. */
export function transitionTable(table: Table, row: string, profile: Profile, explanation: Explanation | undefined): HTMLElement {
  const rows = table.rows.filter(({ profiles }) => profiles === undefined || profiles.includes(profile));
  const deciding = rows.findIndex(({ id }) => id === row);
  return el(
    "div",
    { class: "transition" },
    el("p", { class: "about" }, ...words(table.about)),
    explanation && explanation.facts.length > 0 && facts(explanation),
    el(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": `Table ${table.id}` },
      el(
        "table",
        { class: "rows" },
        el("caption", { class: "hidden" }, `${table.kind} ${table.condition}: the first row whose guard holds decides`),
        el("thead", {}, el("tr", {}, ...["", "Row", "When", "Status", "Reason", "Message"].map((title) => el("th", { scope: "col" }, title || el("span", { class: "hidden" }, "Held"))))),
        el("tbody", {}, ...rows.map((each, i) => line(each, profile, i < deciding ? "passed" : i === deciding ? "decided" : "unreached"))),
      ),
    ),
    el("p", { class: "source" }, `Source: ${table.source}`),
  );
}

const STATES = {
  passed: { sign: "✕", label: "did not hold" },
  decided: { sign: "✓", label: "decided" },
  unreached: { sign: "·", label: "not reached" },
} as const;

function line(row: Row, profile: Profile, state: keyof typeof STATES): HTMLElement {
  const differs = row.others !== undefined || row.profiles !== undefined;
  const { status, reason, message, act } = row.others?.find((other) => other.profile === profile) ?? row;
  const { sign, label } = STATES[state];
  return el(
    "tr",
    { class: state, "data-row": row.id, "data-state": state, ...(state === "decided" && { "aria-current": "true" }) },
    el("td", { class: "sign" }, el("span", { "aria-hidden": "true" }, sign), el("span", { class: "hidden" }, label)),
    el("th", { scope: "row" }, row.id, differs && el("span", { class: "differs", title: "The profiles differ in this row" }, "≠", el("span", { class: "hidden" }, "profiles differ"))),
    el("td", {}, row.when),
    el("td", {}, status || (act ?? "")),
    el("td", {}, reason),
    el("td", {}, message),
  );
}

/** A sentence with code in it. */
function words(text: string): (HTMLElement | string)[] {
  return text.split("`").map((part, i) => (i % 2 === 1 ? el("code", {}, part) : part));
}

function facts({ facts }: Explanation): HTMLElement {
  return el("dl", { class: "facts", "aria-label": "Facts" }, ...facts.map(({ name, value }) => el("div", {}, el("dt", {}, name), el("dd", {}, value === "" ? "—" : value))));
}
