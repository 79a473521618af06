/** `<capi-explanation>`: a table with the way to its decision: what was checked, what held, what was never reached. */
import type { Row, Table } from "../catalog.js";
import type { Explanation } from "../evaluation.js";
import type { Profile } from "../snapshot.js";
import { el } from "./build.js";
import { View } from "./view.js";

const STYLE = `
.transition {
  padding: 2px 4px 10px 20px;
}

.about,
.source {
  color: var(--muted);
  font-size: 13px;
}

.source {
  font-size: 12px;
}

.facts {
  display: flex;
  flex-wrap: wrap;
  gap: 6px;
  margin: 8px 0;
}

.facts div {
  display: flex;
  max-width: 100%;
  border: 1px solid var(--line);
  border-radius: 6px;
  overflow: hidden;
  font-size: 12.5px;
}

.facts dt {
  padding: 1px 8px;
  background: var(--hover);
  color: var(--muted);
}

.facts dd {
  margin: 0;
  padding: 1px 8px;
  overflow-wrap: anywhere;
}

.scroll {
  overflow-x: auto;
}

.rows {
  width: 100%;
  border-collapse: collapse;
  font-size: 12.5px;
}

.rows th,
.rows td {
  padding: 4px 8px;
  border-bottom: 1px solid var(--line);
  text-align: left;
  vertical-align: top;
  /* Columns are as wide as their longest word. */
  overflow-wrap: break-word;
}

.rows thead th {
  color: var(--muted);
  font-weight: 600;
}

.rows tbody th {
  font: 600 11.5px/1.7 var(--mono);
  white-space: nowrap;
}

.rows .sign {
  width: 24px;
  text-align: center;
}

.rows .unreached {
  color: var(--faint);
}

.rows .passed .sign {
  color: var(--bad-text);
}

.rows .decided {
  background: var(--accent-soft);
  box-shadow: inset 3px 0 0 var(--accent);
  font-weight: 600;
}

.rows .decided .sign {
  color: var(--good-text);
}

.differs {
  margin-left: 5px;
  color: var(--warn-text);
}

@media (max-width: 560px) {
  .transition {
    padding-left: 4px;
  }

  .rows thead {
    position: absolute;
    clip-path: inset(50%);
  }

  .rows tr {
    display: flex;
    flex-wrap: wrap;
    gap: 0 8px;
    padding: 5px 6px;
    border-bottom: 1px solid var(--line);
  }

  .rows th,
  .rows td {
    padding: 0;
    border: 0;
  }

  .rows td:nth-child(3) {
    flex: 1 1 calc(100% - 130px);
  }

  .rows td:empty {
    display: none;
  }

  .rows td:last-child {
    flex-basis: 100%;
    overflow-wrap: anywhere;
  }
}
`;

/** Shows one table and the row of it that decided. */
export class CapiExplanation extends View {
  /** The table, as the catalog has it. */
  declare table: Table | undefined;
  /** The row that decided. */
  declare row: string;
  /** The profile under which it did. */
  declare profile: Profile;
  /** The facts, where the evaluation was made with `explain`. */
  declare explanation: Explanation | undefined;

  static {
    this.properties<CapiExplanation>({ table: undefined, row: "", profile: "documented", explanation: undefined });
  }

  constructor() {
    super(STYLE);
  }

  protected draw(): void {
    this.root.replaceChildren(...(this.table ? [transitionTable(this.table, this.row, this.profile, this.explanation)] : []));
  }
}

/** Draws the table; `row` is the row that decided. */
function transitionTable(table: Table, row: string, profile: Profile, explanation: Explanation | undefined): HTMLElement {
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
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ...["", "Row", "When", "Status", "Reason", "Message"].map((title) =>
              el("th", { scope: "col" }, title || el("span", { class: "hidden" }, "Held")),
            ),
          ),
        ),
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
    el(
      "th",
      { scope: "row" },
      row.id,
      differs &&
        el("span", { class: "differs", title: "The profiles differ in this row" }, "≠", el("span", { class: "hidden" }, "profiles differ")),
    ),
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
  return el(
    "dl",
    { class: "facts", "aria-label": "Facts" },
    ...facts.map(({ name, value }) => el("div", {}, el("dt", {}, name), el("dd", {}, value === "" ? "—" : value))),
  );
}
