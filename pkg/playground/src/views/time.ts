/** Time as something to play with: a slider, a play button, the moments to come and their picture. */
import type { Timeline } from "../protocol";
import { byId, el } from "../element";
import { duration, later, readable } from "../moments";
import { colour } from "../verdicts";
import { replaceKeepingFocus } from "./keep-focus";
import { drawTimeline, gutter } from "./timeline-drawing";

const TICK = 100;
const PLAYING = 12_000;
const HORIZONS: [number, string][] = [[0, "as far as something changes"], [3600, "1 hour"], [21_600, "6 hours"], [86_400, "1 day"], [604_800, "7 days"]];

/** What the time controls ask for. */
export interface TimeEvents {
  moved: (offset: number) => void;
  started: (start: string | undefined) => void;
  horizon: (seconds: number) => void;
}

export class TimeView {
  private timeline: Timeline | undefined;
  private playing: ReturnType<typeof setInterval> | undefined;
  private readonly slider = el("input", { id: "slider", type: "range", min: 0, max: 600, step: 1, value: 0, "aria-label": "Time after the start, in seconds" });
  private readonly play = el("button", { type: "button", id: "play", "aria-pressed": "false" }, "▶ Play");
  private readonly next = el("button", { type: "button", id: "next-change" }, "Next change");
  private readonly offset = el("output", { id: "offset", for: "slider" }, "+0s");
  private readonly start = el("input", { id: "start", type: "text", spellcheck: "false", autocomplete: "off" });
  private readonly horizon = el("select", { id: "horizon" }, ...HORIZONS.map(([seconds, label]) => el("option", { value: seconds }, label)));
  private readonly picture = el("div", { class: "picture scroll", tabindex: 0, role: "region", "aria-label": "Timeline" });
  private readonly moments = el("div");

  constructor(private readonly events: TimeEvents) {
    byId("time").append(
      el("h3", { id: "time-title" }, "Time"),
      el("div", { class: "bar" }, this.play, this.slider, this.offset, this.next),
      el("div", { class: "bar small" }, el("label", { for: "start" }, "Start"), this.start, el("label", { for: "horizon" }, "Look ahead"), this.horizon),
      this.picture,
      this.moments,
    );
    this.slider.addEventListener("input", () => this.move(Number(this.slider.value)));
    this.play.addEventListener("click", () => (this.playing ? this.stop() : this.run()));
    this.next.addEventListener("click", () => this.move(this.nextMoment() ?? 0));
    this.start.addEventListener("change", () => this.events.started(this.start.value.trim() === "" ? undefined : this.start.value.trim().replace(" ", "T").replace(/(\d)$/, "$1Z")));
    this.horizon.addEventListener("change", () => this.events.horizon(Number(this.horizon.value)));
    this.picture.addEventListener("click", (event) => this.jump(event));
    new ResizeObserver(() => this.draw()).observe(this.picture);
  }

  /** Seconds after the start. */
  get at(): number {
    return Number(this.slider.value);
  }

  /** The picture for a file, in the colours of the light theme, or undefined when there is none yet. */
  drawing(): SVGSVGElement | undefined {
    const light: Record<string, string> = { unhealthy: "#cf222e", waiting: "#e0a92a", notEvaluated: "#8250df", healthy: "#2da44e", skipped: "#8c959f", text: "#1f2328", muted: "#59636e", line: "#e4e8ec", surface: "#ffffff", accent: "#2f6fec" };
    return this.timeline && drawTimeline(this.timeline, { width: 960, palette: (name) => light[name] ?? "#888888" });
  }

  setStart(start: string): void {
    if (document.activeElement !== this.start) this.start.value = readable(start);
  }

  /** Sets the slider without asking for anything. */
  restore(offset: number, horizon: number): void {
    this.stop();
    this.slider.max = String(Math.max(Number(this.slider.max), offset));
    this.slider.value = String(offset);
    this.horizon.value = String(horizon);
    this.showOffset();
  }

  show(timeline: Timeline): void {
    this.timeline = timeline;
    this.picture.hidden = timeline.lanes.length + timeline.moments.length === 0;
    this.slider.max = String(Math.max(timeline.end, this.at));
    this.showMoments(timeline);
    this.draw();
    this.showOffset();
  }

  draw(): void {
    const width = this.picture.clientWidth;
    if (!this.timeline || width === 0) return;
    this.picture.replaceChildren(drawTimeline(this.timeline, { width, palette: colour, cursor: this.at }));
  }

  private move(offset: number): void {
    this.slider.value = String(offset);
    this.showOffset();
    this.draw();
    this.events.moved(this.at);
  }

  private showOffset(): void {
    this.offset.value = `+${duration(this.at)}`;
    const moment = this.timeline ? readable(later(this.timeline.start, this.at)) : "";
    this.slider.setAttribute("aria-valuetext", `${duration(this.at)} after the start${moment && `, ${moment}`}`);
    this.next.disabled = this.nextMoment() === undefined;
  }

  private nextMoment(): number | undefined {
    return this.timeline?.moments.find(({ at }) => at > this.at)?.at;
  }

  private run(): void {
    if (this.at >= Number(this.slider.max)) this.move(0);
    this.play.textContent = "⏸ Pause";
    this.play.setAttribute("aria-pressed", "true");
    this.playing = setInterval(() => {
      const end = Number(this.slider.max);
      this.move(Math.min(end, this.at + Math.max(1, Math.round((end * TICK) / PLAYING))));
      if (this.at >= end) this.stop();
    }, TICK);
  }

  private stop(): void {
    clearInterval(this.playing);
    this.playing = undefined;
    this.play.textContent = "▶ Play";
    this.play.setAttribute("aria-pressed", "false");
  }

  private jump(event: MouseEvent): void {
    const box = this.picture.firstElementChild?.getBoundingClientRect();
    if (!box || !this.timeline) return;
    const left = gutter(box.width);
    const part = (event.clientX - box.left - left) / (box.width - left - 12);
    if (part >= 0) this.move(Math.round(Math.min(1, part) * this.timeline.end));
  }

  private showMoments({ start, moments, complete, lanes, laneCount }: Timeline): void {
    const shown = moments.slice(0, 6);
    replaceKeepingFocus(
      this.moments,
      moments.length === 0 ? el("p", { class: "muted" }, "Time alone changes nothing here.") : el("ol", { class: "plain moments" }, ...shown.map(({ at, summary, count }) =>
        el("li", {}, el("button", { type: "button", class: "quiet", "data-key": `moment-${at}`, title: readable(later(start, at)), click: () => this.move(at) }, `+${duration(at)}`), el("span", {}, `${summary.join("; ")}${count > summary.length ? `; ${count - summary.length} more` : ""}`))),
        moments.length > shown.length && el("li", { class: "muted" }, `… ${moments.length - shown.length} more moments${complete ? "" : ", and too many to look at all"}`)),
      laneCount > lanes.length ? el("p", { class: "muted" }, `${laneCount - lanes.length} more machines, which change later or not at all.`) : "",
    );
  }
}
