/** `<capi-timeline>`: the decisions to come, as a picture with one lane per machine and a list of moments. */
import type { Forecast } from "../forecast.js";
import { el } from "./build.js";
import { replaceKeepingFocus } from "./keep-focus.js";
import { duration, later, readable } from "./moments.js";
import { drawTimeline, gutter } from "./timeline-drawing.js";
import { timeline as summarized, type Timeline } from "./timeline-model.js";
import { lightColour, View } from "./view.js";

const MOMENTS = 6;
const STYLE = `
.picture { margin-top: 10px; max-height: 360px; overflow: auto; cursor: crosshair; }
.picture svg { display: block; }
ol { margin: 6px 0; padding: 0; list-style: none; }
li { display: grid; grid-template-columns: 84px minmax(0, 1fr); align-items: baseline; padding: 2px 0; }
li.muted { display: block; }
button {
  justify-self: start;
  min-height: 24px;
  padding: 0 6px;
  border: 1px solid transparent;
  border-radius: 7px;
  background: none;
  color: var(--accent);
  font: inherit;
  font-variant-numeric: tabular-nums;
  cursor: pointer;
}
button:hover { background: var(--hover); }
`;

/** Shows a forecast. Dispatches `capi-seek` with `{ offset }`, seconds after its start, when somebody chooses a moment. */
export class CapiTimeline extends View {
  /** What to show, cut down with `timeline()`, in a worker for instance. */
  declare timeline: Timeline | undefined;
  private readonly picture = el("div", { class: "picture", tabindex: 0, role: "region", "aria-label": "Timeline" });
  private readonly moments = el("div");
  #cursor: number | undefined;

  static {
    this.properties<CapiTimeline>({ timeline: undefined });
  }

  constructor() {
    super(STYLE);
    this.root.append(this.picture, this.moments);
    this.picture.addEventListener("click", (event) => this.jump(event));
    new ResizeObserver(() => this.drawPicture()).observe(this.picture);
  }

  /** The same, as it was decided. */
  set forecast(forecast: Forecast | undefined) {
    this.timeline = forecast && summarized(forecast);
  }

  /** Where time stands, in seconds after the start; undefined: nowhere. */
  get cursor(): number | undefined {
    return this.#cursor;
  }

  set cursor(cursor: number | undefined) {
    this.#cursor = cursor;
    this.drawPicture();
  }

  /** The picture for a file, in light colours; undefined when there is none yet. */
  drawing(width = 960): SVGSVGElement | undefined {
    return this.timeline && drawTimeline(this.timeline, { width, palette: lightColour });
  }

  protected draw(): void {
    this.picture.hidden = !this.timeline || this.timeline.lanes.length + this.timeline.moments.length === 0;
    replaceKeepingFocus(this.moments, ...(this.timeline ? list(this.timeline, (offset) => this.seek(offset)) : []));
    this.drawPicture();
  }

  private drawPicture(): void {
    const width = this.picture.clientWidth;
    if (!this.timeline || width === 0) return;
    const palette = (name: string): string => `var(--${name})`;
    this.picture.replaceChildren(
      drawTimeline(this.timeline, { width, palette, ...(this.#cursor !== undefined && { cursor: this.#cursor }) }),
    );
  }

  private jump(event: MouseEvent): void {
    const box = this.picture.firstElementChild?.getBoundingClientRect();
    if (!box || !this.timeline) return;
    const left = gutter(box.width);
    const part = (event.clientX - box.left - left) / (box.width - left - 12);
    if (part >= 0) this.seek(Math.round(Math.min(1, part) * this.timeline.end));
  }

  private seek(offset: number): void {
    this.tell("capi-seek", { offset });
  }
}

function list({ start, moments, complete, lanes, laneCount }: Timeline, seek: (offset: number) => void): HTMLElement[] {
  if (moments.length === 0) return [el("p", { class: "muted" }, "Time alone changes nothing here.")];
  const shown = moments.slice(0, MOMENTS);
  const items = shown.map(({ at, summary, count }) =>
    el(
      "li",
      {},
      el(
        "button",
        { type: "button", "data-key": `moment-${at}`, title: readable(later(start, at)), click: () => seek(at) },
        `+${duration(at)}`,
      ),
      el("span", {}, `${summary.join("; ")}${count > summary.length ? `; ${count - summary.length} more` : ""}`),
    ),
  );
  const more =
    moments.length > shown.length &&
    el("li", { class: "muted" }, `… ${moments.length - shown.length} more moments${complete ? "" : ", and too many to look at all"}`);
  const hidden =
    laneCount > lanes.length
      ? [el("p", { class: "muted" }, `${laneCount - lanes.length} more machines, which change later or not at all.`)]
      : [];
  return [el("ol", { class: "moments" }, ...items, more), ...hidden];
}
