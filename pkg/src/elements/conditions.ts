/** `<capi-conditions>`: conditions and the other decisions about an object, each with the table that decided it. */
import type { Catalog, Table } from "../catalog.js";
import type { Condition, Evaluation, Explanation } from "../evaluation.js";
import type { Profile } from "../snapshot.js";
import { el } from "./build.js";
import type { CapiExplanation } from "./explanation.js";
import { replaceKeepingFocus } from "./keep-focus.js";
import { polarity } from "./polarity.js";
import { View } from "./view.js";

const STYLE = `
.entry {
  border-top: 1px solid var(--line);
}

.entry:last-child {
  border-bottom: 1px solid var(--line);
}

.entry summary {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 2px 10px;
  padding: 7px 4px;
  cursor: pointer;
  list-style: none;
}

.entry summary::-webkit-details-marker {
  display: none;
}

.entry summary::before {
  content: "▸";
  width: 10px;
  color: var(--faint);
}

.entry[open] > summary::before {
  content: "▾";
}

.entry summary:hover {
  background: var(--hover);
}

.type {
  font-weight: 650;
}

.reason {
  color: var(--muted);
}

.row-id {
  margin-left: auto;
}

.message {
  flex-basis: 100%;
  padding-left: 20px;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
`;

/** Lists decisions, and remembers which tables are open. */
export class CapiConditions extends View {
  /** The conditions, in the order in which they are shown. */
  declare conditions: Condition[];
  /** How they were decided: facts, and decisions that set no condition. */
  declare explanations: Explanation[];
  /** The profile under which they were decided. */
  declare profile: Profile;
  /** Whether the first table is open as long as nobody opened another. */
  declare openFirst: boolean;
  private readonly toggled = new Map<string, boolean>();
  private tables = new Map<string, Table>();
  #catalog: Catalog | undefined;

  static {
    this.properties<CapiConditions>({ conditions: [], explanations: [], profile: "documented", openFirst: false });
  }

  constructor() {
    super(STYLE);
  }

  /** The policy's catalog: without it, there are no tables to open. */
  get catalog(): Catalog | undefined {
    return this.#catalog;
  }

  set catalog(catalog: Catalog | undefined) {
    this.#catalog = catalog;
    this.tables = new Map(catalog?.tables.flatMap((table) => table.rows.map((row) => [row.id, table])));
    this.changed();
  }

  /** Conditions, explanations and profile in one. */
  set evaluation({ conditions, explanations, profile }: Pick<Evaluation, "conditions" | "explanations" | "profile">) {
    this.conditions = conditions;
    this.explanations = explanations?.filter(({ machine }) => machine === undefined || machine === "") ?? [];
    this.profile = profile;
  }

  /** Opens the table of one row, and forgets what was open. */
  focusOn(row: string | undefined): void {
    this.toggled.clear();
    const table = row && this.tables.get(row);
    if (table) this.toggled.set(table.id, true);
    this.changed();
  }

  protected draw(): void {
    const left = [...this.explanations];
    const entries = this.conditions.map((condition, i) => {
      const at = left.findIndex(({ row }) => row === condition.row);
      const explanation = at < 0 ? undefined : left.splice(at, 1)[0];
      return this.entry(condition.row, explanation, this.openFirst && i === 0 && this.toggled.size === 0, condition);
    });
    replaceKeepingFocus(this.container(), ...entries, ...left.map((explanation) => this.entry(explanation.row, explanation, false)));
  }

  private container(): Element {
    return this.root.firstElementChild ?? this.root.appendChild(el("div", { class: "entries" }));
  }

  private entry(row: string, explanation: Explanation | undefined, open: boolean, condition?: Condition): HTMLElement {
    const profile = this.profile;
    const table = this.tables.get(row);
    const id = table?.id ?? row;
    const described = table?.rows.find((each) => each.id === row);
    const outcome = described?.others?.find((other) => other.profile === profile) ?? described;
    const summary = el(
      "summary",
      { "data-key": `entry-${id}` },
      el("span", { class: `status ${condition ? polarity(condition) : ""}` }, condition?.status ?? (outcome?.status || outcome?.act) ?? ""),
      el("span", { class: "type" }, condition?.type ?? table?.condition ?? id),
      condition && el("span", { class: "reason" }, condition.reason),
      el("code", { class: "row-id" }, row),
      condition && condition.message !== "" && el("span", { class: "message" }, condition.message),
    );
    const details = el("details", { class: "entry", "data-row": row, ...(condition && { "data-condition": condition.type }) }, summary);
    const show = (): void => {
      if (!details.open || details.childElementCount > 1 || !table) return;
      const element = document.createElement("capi-explanation") as CapiExplanation;
      Object.assign(element, { table, row, profile, explanation });
      details.append(element);
    };
    details.open = this.toggled.get(id) ?? open;
    show();
    summary.addEventListener("click", () => this.toggled.set(id, !details.open));
    details.addEventListener("toggle", show);
    return details;
  }
}
