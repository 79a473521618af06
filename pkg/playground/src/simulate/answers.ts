/** What a run came to: the answers of one day, many days in figures, or variants side by side. */
import { duration } from "../../../src/elements/moments";
import { el } from "../element";
import type { Blocked, Column, Day, RunView, VariantView } from "./messages";

const MOST_LINES = 8;
const MOST_EVENTS = 60;

/** Everything but the picture. */
export function answers(view: RunView): HTMLElement[] {
  const [first] = view.variants;
  const [day] = first?.days ?? [];
  const shown = view.variants.length > 1 ? compared(view.variants) : first && day ? oneDay(first.name, day) : first ? manyDays(first) : [];
  return [...shown, ...demands(view)];
}

/** The figures in one sentence, for who can't see them. */
export function sentence({ variants }: RunView): string {
  const worst = ({ name, summary }: VariantView): string => `${name}: at most ${summary.columns[0]?.worst ?? 0} replaced`;
  return `The simulation is over. ${variants.map(worst).join(", ")}.`;
}

/** What happened on one day, in order. */
export function events(view: RunView): HTMLElement | undefined {
  const all = view.variants[0]?.days[0]?.events ?? [];
  if (all.length === 0) return undefined;
  const rows = all.slice(0, MOST_EVENTS).map(({ at, what, by = "", row = "" }) => [`+${duration(at)}`, what, by, row]);
  const more = all.length > MOST_EVENTS && el("p", { class: "muted" }, `… and ${all.length - MOST_EVENTS} more: the JSON has them all.`);
  return el("details", {}, el("summary", {}, "What happened"), table("What happened", ["In", "What", "By", "Row"], rows), more);
}

function oneDay(name: string, day: Day): HTMLElement[] {
  const lines: [string, string][] = [
    ["Replaced", `${day.replaced} of ${day.machines}`],
    ["Needlessly", `${day.needless}, which would have recovered by themselves`],
    ...(day.rolledOut > 0 ? [["Rolled out", String(day.rolledOut)] as [string, string]] : []),
    [
      "Below capacity",
      `${duration(day.belowSeconds)}, ${(Math.floor(day.missingMachineSeconds / 360) / 10).toFixed(1)} machine hours missing`,
    ],
    ...spans("Blocked", day.blocked),
    ...spans("Owner waits", day.held),
    ...some(day.storms, ({ machines, from, until }) => [
      "Storm",
      `${machines} machines replaced from +${duration(from)} to +${duration(until)}`,
    ]),
    ...some(day.loops, ({ slot, replaced }) => ["Loop", `${slot} replaced ${replaced} times`]),
    ...(day.starved > 0 ? [["Starved", `${day.starved} could not recover, and nobody replaced them for an hour`] as [string, string]] : []),
    ...(day.quorumLostSeconds > 0 ? [["No quorum", duration(day.quorumLostSeconds)] as [string, string]] : []),
  ];
  return [
    el("h2", {}, `${name || "A day"} (seed ${day.seed})`),
    el("dl", { class: "answers" }, ...lines.flatMap(([label, text]) => [el("dt", {}, label), el("dd", {}, text)])),
  ];
}

function spans(label: string, blocked: Blocked[]): [string, string][] {
  return some(blocked, ({ by, from, until, why, endedBy = "" }) => [
    label,
    `${by} from +${duration(from)} ${until === undefined ? "until the end" : `until +${duration(until)}, ended by: ${endedBy}`} (${why})`,
  ]);
}

function some<Item>(items: Item[], line: (item: Item) => [string, string]): [string, string][] {
  const more: [string, string][] = items.length > MOST_LINES ? [["", `and ${items.length - MOST_LINES} more`]] : [];
  return [...items.slice(0, MOST_LINES).map(line), ...more];
}

function manyDays({ name, summary }: VariantView): HTMLElement[] {
  const rows = summary.columns.map((column) => [
    column.name,
    value(column, column.median),
    value(column, column.p90),
    value(column, column.worst),
    String(column.days),
  ]);
  const title = `${name || "Days"}: ${summary.days} days`;
  return [el("h2", {}, title), table(title, ["", "Median", "9 of 10", "Worst", "On days"], rows)];
}

function compared(variants: VariantView[]): HTMLElement[] {
  const [first] = variants;
  const days = first?.summary.days ?? 0;
  const title = `The same ${days === 1 ? "day" : `${days} days`} under each, median and worst`;
  const rows = variants.map(({ name, summary }) => [
    name,
    ...summary.columns.map((column) =>
      column.median === column.worst ? value(column, column.worst) : `${value(column, column.median)} / ${value(column, column.worst)}`,
    ),
  ]);
  return [el("h2", {}, title), table(title, ["", ...(first?.summary.columns ?? []).map(({ name }) => name)], rows)];
}

function demands({ demands, variants }: RunView): HTMLElement[] {
  const lines = demands.flatMap((demand, i) =>
    variants.map(({ name, failing, summary }) => {
      const failed = failing[i] ?? 0;
      const of = variants.length > 1 ? ` (${name})` : "";
      return el(
        "li",
        { class: failed > 0 ? "doubt" : "good" },
        `${demand}${of}: ${failed > 0 ? `not met on ${failed} of ${summary.days}` : `met on ${summary.days}`} ${summary.days === 1 ? "day" : "days"}`,
      );
    }),
  );
  return lines.length > 0 ? [el("ul", { class: "plain" }, ...lines)] : [];
}

function value({ seconds }: Column, number: number): string {
  return seconds ? duration(number) : String(number);
}

/** A table in a box that can be scrolled, with the keyboard too. */
function table(label: string, titles: string[], rows: string[][]): HTMLElement {
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...titles.map((title) => (title === "" ? el("td") : el("th", { scope: "col" }, title))))),
      el(
        "tbody",
        {},
        ...rows.map(([head = "", ...cells]) => el("tr", {}, el("th", { scope: "row" }, head), ...cells.map((cell) => el("td", {}, cell)))),
      ),
    ),
  );
}
