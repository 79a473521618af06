/** Conditions and steps, each with the table that decided it. */
import type { Catalog, Condition, Explanation, Profile, Table } from "capi-policy";
import { el } from "../element";
import { transitionTable } from "./transition-table";

/** Conditions of which False is the ordinary state. */
const TRANSITIONAL = new Set(["Deleting", "Paused", "Remediating", "RollingOut", "ScalingDown", "ScalingUp", "Updating"]);

/** What was decided about one object or machine. */
export interface Decided {
  conditions: Condition[];
  explanations: Explanation[] | undefined;
  profile: Profile;
}

/** Lists decisions, and remembers which tables are open. */
export class Entries {
  private readonly toggled = new Map<string, boolean>();
  private readonly tables: Map<string, Table>;

  constructor(catalog: Catalog) {
    this.tables = new Map(catalog.tables.flatMap((table) => table.rows.map((row) => [row.id, table])));
  }

  /** Opens the table of one row, and forgets what was open. */
  focusOn(row: string | undefined): void {
    this.toggled.clear();
    const table = row && this.tables.get(row);
    if (table) this.toggled.set(table.id, true);
  }

  /** One entry per condition, then the steps that set none. */
  list({ conditions, explanations = [], profile }: Decided, openFirst: boolean): HTMLElement[] {
    const left = [...explanations];
    const entries: HTMLElement[] = conditions.map((condition, i) => {
      const at = left.findIndex(({ row }) => row === condition.row);
      const explanation = at < 0 ? undefined : left.splice(at, 1)[0];
      return this.entry(condition.row, explanation, profile, openFirst && i === 0 && this.toggled.size === 0, condition);
    });
    return [...entries, ...left.map((explanation) => this.entry(explanation.row, explanation, profile, false))];
  }

  private entry(row: string, explanation: Explanation | undefined, profile: Profile, open: boolean, condition?: Condition): HTMLElement {
    const table = this.tables.get(row);
    const id = table?.id ?? row;
    const described = table?.rows.find((each) => each.id === row);
    const outcome = described?.others?.find((other) => other.profile === profile) ?? described;
    const summary = el(
      "summary",
      { "data-key": `entry-${id}` },
      el("span", { class: `status ${condition ? tone(condition) : ""}` }, condition?.status ?? (outcome?.status || outcome?.act) ?? ""),
      el("span", { class: "type" }, condition?.type ?? table?.condition ?? id),
      condition && el("span", { class: "reason" }, condition.reason),
      el("code", { class: "row-id" }, row),
      condition && condition.message !== "" && el("span", { class: "message" }, condition.message),
    );
    const details = el("details", { class: "entry", "data-row": row, ...(condition && { "data-condition": condition.type }) }, summary);
    const show = (): void => {
      if (details.open && details.childElementCount === 1 && table) details.append(transitionTable(table, row, profile, explanation));
    };
    details.open = this.toggled.get(id) ?? open;
    show();
    summary.addEventListener("click", () => this.toggled.set(id, !details.open));
    details.addEventListener("toggle", show);
    return details;
  }
}

/** The colour of a status: good, bad, in doubt, or none where it is neither. */
function tone({ type, status }: Condition): string {
  if (status === "Unknown") return "doubt";
  if (TRANSITIONAL.has(type)) return status === "True" ? "doubt" : "";
  return status === "True" ? "good" : "bad";
}
