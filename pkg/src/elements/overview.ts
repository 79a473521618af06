/** `<capi-overview>`: every object of a fleet, problems first, with search and filter. Only what is in view is drawn. */
import type { Evaluation } from "../evaluation.js";
import { el } from "./build.js";
import { replaceKeepingFocus } from "./keep-focus.js";
import type { Tone } from "./polarity.js";
import { readable } from "./moments.js";
import { summarize, type Summary, TONE_WORDS, TONES } from "./summary.js";
import { View } from "./view.js";

const HEIGHT = 46;
const AROUND = 8;
const STYLE = `
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin-bottom: 8px; }
input, select {
  min-height: 32px;
  padding: 4px 10px;
  border: 1px solid var(--line);
  border-radius: 7px;
  background: var(--surface);
  color: var(--text);
  font: inherit;
}
input { flex: 1 1 160px; min-width: 0; }
.tones { display: flex; flex-wrap: wrap; gap: 6px; }
.tone {
  padding: 2px 10px;
  border: 1px solid var(--line);
  border-radius: 99px;
  background: var(--surface);
  color: inherit;
  font: inherit;
  font-size: 12.5px;
  cursor: pointer;
}
.tone[aria-pressed="true"] { border-color: var(--accent); background: var(--accent-soft); }
.list { position: relative; max-height: var(--capi-overview-height, 322px); overflow-y: auto; border-top: 1px solid var(--line); }
ul { position: relative; margin: 0; padding: 0; list-style: none; }
li { position: absolute; left: 0; right: 0; height: ${HEIGHT}px; }
.object {
  display: grid;
  grid-template-columns: 20px minmax(0, 5fr) minmax(0, 6fr);
  grid-template-rows: auto auto;
  align-content: center;
  gap: 0 8px;
  width: 100%;
  height: 100%;
  padding: 2px 6px;
  border: 0;
  border-bottom: 1px solid var(--line);
  background: none;
  color: inherit;
  font: inherit;
  text-align: left;
  cursor: pointer;
}
.object:hover { background: var(--hover); }
.object[aria-current="true"] { background: var(--accent-soft); box-shadow: inset 3px 0 0 var(--accent); }
.object:focus-visible { outline-offset: -2px; }
.object > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.sign { grid-row: 1 / span 2; align-self: center; font-weight: 700; text-align: center; }
.name { font-weight: 600; }
.where, .because { grid-row: 2; font-size: 12px; color: var(--muted); }
.where { grid-column: 2; }
.because { grid-column: 3; }
@media (max-width: 560px) {
  .object { grid-template-columns: 20px minmax(0, 1fr); }
  .object .words { grid-column: 2; grid-row: 2; font-size: 12.5px; }
  .object .where, .object .because { display: none; }
}
`;

/** Shows objects; dispatches `capi-select` with `{ kind, namespace, name }` when somebody chooses one. */
export class CapiOverview extends View {
  private readonly search = el("input", {
    type: "search",
    placeholder: "Find by name, kind, reason …",
    autocomplete: "off",
    "aria-label": "Find an object",
  });
  private readonly kind = el("select", { "aria-label": "Kind" });
  private readonly tones = el("div", { class: "tones", role: "group", "aria-label": "Show only" });
  private readonly items = el("ul");
  private readonly list = el("div", { class: "list" }, this.items);
  private readonly none = el("p", { class: "muted", role: "status" });
  private tone: Tone | undefined;
  private found: Summary[] = [];
  #objects: Summary[] = [];
  #selected: Pick<Summary, "kind" | "namespace" | "name"> | undefined;

  constructor() {
    super(STYLE);
    this.root.append(el("div", { class: "bar" }, this.search, this.kind), el("div", { class: "bar" }, this.tones), this.list, this.none);
    this.search.addEventListener("input", () => this.filter());
    this.kind.addEventListener("change", () => this.filter());
    this.list.addEventListener("scroll", () => this.drawItems());
    this.list.addEventListener("keydown", (event) => this.move(event));
    new ResizeObserver(() => this.drawItems()).observe(this.list);
  }

  /** What to show, one evaluation per object. */
  set evaluations(evaluations: Evaluation[]) {
    this.objects = evaluations.map(summarize);
  }

  /** The same, already summed up with `summarize()`, in a worker for instance. */
  get objects(): Summary[] {
    return this.#objects;
  }

  set objects(objects: Summary[]) {
    const rank = new Map(TONES.map((tone, i) => [tone, i]));
    this.#objects = objects.toSorted((a, b) => (rank.get(a.tone) ?? 0) - (rank.get(b.tone) ?? 0));
    this.changed();
  }

  /** The object that is shown elsewhere. */
  get selected(): Pick<Summary, "kind" | "namespace" | "name"> | undefined {
    return this.#selected;
  }

  set selected(selected: Pick<Summary, "kind" | "namespace" | "name"> | undefined) {
    this.#selected = selected;
    this.drawItems();
  }

  protected draw(): void {
    const kinds = [...new Set(this.#objects.map(({ kind }) => kind))].toSorted();
    const chosen = this.kind.value;
    this.kind.replaceChildren(el("option", { value: "" }, "every kind"), ...kinds.map((kind) => el("option", { value: kind }, kind)));
    this.kind.value = kinds.includes(chosen) ? chosen : "";
    const counts = TONES.map((tone) => [tone, this.#objects.filter((object) => object.tone === tone).length] as const).filter(
      ([, count]) => count > 0,
    );
    if (!counts.some(([tone]) => tone === this.tone)) this.tone = undefined;
    const button = (tone: Tone | undefined, label: string): HTMLElement =>
      el(
        "button",
        {
          type: "button",
          class: "tone",
          "data-key": `tone-${tone ?? "all"}`,
          "data-tone": tone ?? "all",
          "aria-pressed": String(tone === this.tone),
          click: () => this.choose(tone),
        },
        label,
      );
    replaceKeepingFocus(
      this.tones,
      button(undefined, `all ${this.#objects.length}`),
      ...counts.map(([tone, count]) => button(tone, `${TONE_WORDS[tone].sign} ${count} ${TONE_WORDS[tone].label}`)),
    );
    this.filter();
  }

  private choose(tone: Tone | undefined): void {
    this.tone = tone;
    this.draw();
  }

  private filter(): void {
    const [text, kind] = [this.search.value.trim().toLowerCase(), this.kind.value];
    this.found = this.#objects.filter(
      (object) =>
        (this.tone === undefined || object.tone === this.tone) &&
        (kind === "" || object.kind === kind) &&
        (text === "" || `${object.kind} ${object.namespace}/${object.name} ${object.words} ${object.because}`.toLowerCase().includes(text)),
    );
    this.items.style.height = `${this.found.length * HEIGHT}px`;
    this.none.textContent = this.found.length > 0 || this.#objects.length === 0 ? "" : "No object is like that.";
    this.none.hidden = this.none.textContent === "";
    this.drawItems();
  }

  private drawItems(): void {
    const first = Math.max(0, Math.floor(this.list.scrollTop / HEIGHT) - AROUND);
    const count = Math.ceil(this.list.clientHeight / HEIGHT) + 2 * AROUND;
    replaceKeepingFocus(this.items, ...this.found.slice(first, first + count).map((object, i) => this.item(object, first + i)));
  }

  private item(object: Summary, at: number): HTMLElement {
    const { kind, namespace, name, tone, words, because, nextChange } = object;
    const current = this.#selected?.kind === kind && this.#selected.namespace === namespace && this.#selected.name === name;
    const item = el(
      "li",
      { "aria-setsize": this.found.length, "aria-posinset": at + 1 },
      el(
        "button",
        {
          type: "button",
          class: "object",
          "data-key": `object-${kind}/${namespace}/${name}`,
          "data-at": at,
          "data-tone": tone,
          ...(current && { "aria-current": "true" }),
          click: () => this.tell("capi-select", { kind, namespace, name }),
        },
        el("span", { class: `sign ${tone}`, title: TONE_WORDS[tone].label }, TONE_WORDS[tone].sign),
        el("span", { class: "name" }, `${kind} ${name}`),
        el("span", { class: `words ${tone}` }, words),
        el("span", { class: "where" }, [namespace, nextChange && `next change ${readable(nextChange)}`].filter(Boolean).join(" · ")),
        el("span", { class: "because", title: because }, because),
      ),
    );
    item.style.top = `${at * HEIGHT}px`;
    return item;
  }

  private move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const active = this.root.activeElement?.getAttribute("data-at");
    if (step === undefined || active === null || active === undefined) return;
    event.preventDefault();
    const at = Math.max(0, Math.min(this.found.length - 1, Number(active) + step));
    const top = at * HEIGHT;
    if (top < this.list.scrollTop) this.list.scrollTop = top;
    else if (top + HEIGHT > this.list.scrollTop + this.list.clientHeight) this.list.scrollTop = top + HEIGHT - this.list.clientHeight;
    this.drawItems();
    this.items.querySelector<HTMLElement>(`[data-at="${at}"]`)?.focus({ preventScroll: true });
  }
}
