/** The picture of a timeline: one lane per machine, coloured by verdict, with the moments at which actions start. */
import { svg } from "./build.js";
import { duration } from "./moments.js";
import type { Lane, Timeline } from "./timeline-model.js";
import { look, VERDICTS } from "./verdicts.js";

const LANE = 20;
const TOP = 26;

/** Colours by name: verdicts, `text`, `muted`, `line`, `surface`, `accent`. */
export type Palette = (name: string) => string;

/** How a timeline is drawn. */
export interface Drawing {
  width: number;
  palette: Palette;
  /** Seconds after the start at which the cursor stands; absent: no cursor. */
  cursor?: number;
}

/** Where the lanes start: names stand before them. */
export function gutter(width: number): number {
  return width < 480 ? 84 : 150;
}

/** Draws with attributes only, so that the picture looks the same when it is saved. */
export function drawTimeline(timeline: Timeline, { width, palette, cursor }: Drawing): SVGSVGElement {
  const left = gutter(width);
  const key = legend(timeline, width, palette);
  const x = (at: number): number => left + (Math.min(at, timeline.end) / timeline.end) * (width - left - 12);
  const bands = timeline.allowed.length > 0 ? 1 : 0;
  const lanes = TOP + (timeline.lanes.length + bands) * LANE + 8;
  const height = key.height + lanes;
  const picture = svg("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": description(timeline),
    "font-family": "system-ui, sans-serif",
    "font-size": 11,
  });
  const body = svg("g", { transform: `translate(0 ${key.height})` }, ...axis(timeline, x, lanes, palette, width));
  picture.append(svg("rect", { width, height, fill: palette("surface") }), ...key.parts, body);
  if (bands) body.append(...allowedBand(timeline, x, palette));
  timeline.lanes.forEach((lane, i) => body.append(...drawLane(lane, TOP + (i + bands) * LANE, timeline.end, x, palette, left)));
  for (const { at } of timeline.moments)
    body.append(svg("line", { x1: x(at), x2: x(at), y1: TOP - 6, y2: TOP - 1, stroke: palette("accent"), "stroke-width": 2 }));
  if (cursor !== undefined) {
    body.append(
      svg("line", { x1: x(cursor), x2: x(cursor), y1: 0, y2: lanes, stroke: palette("accent"), "stroke-width": 2, "data-cursor": "" }),
    );
  }
  return picture;
}

function axis({ end }: Timeline, x: (at: number) => number, height: number, palette: Palette, width: number): SVGElement[] {
  const wanted = end / (width < 480 ? 3 : 6);
  const step =
    [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 604800].find((each) => each >= wanted) ?? end;
  const marks: SVGElement[] = [];
  for (let at = 0; at <= end; at += step) {
    marks.push(svg("line", { x1: x(at), x2: x(at), y1: 16, y2: height, stroke: palette("line") }));
    marks.push(
      svg(
        "text",
        {
          x: x(at) + (at === 0 ? 4 : at + step > end ? 12 : 0),
          y: 11,
          fill: palette("muted"),
          "text-anchor": at === 0 ? "start" : at + step > end ? "end" : "middle",
        },
        at === 0 ? "start" : `+${duration(at)}`,
      ),
    );
  }
  return marks;
}

function allowedBand({ allowed, end }: Timeline, x: (at: number) => number, palette: Palette): SVGElement[] {
  const parts = allowed.flatMap(({ at, allowed: may }, i) => {
    const to = allowed[i + 1]?.at ?? end;
    const width = Math.max(x(to) - x(at), 1);
    const rect = svg(
      "rect",
      { x: x(at), y: TOP + 3, width, height: LANE - 6, fill: palette(may ? "healthy" : "unhealthy"), opacity: 0.25 },
      svg("title", {}, `remediation ${may ? "allowed" : "blocked"} from +${duration(at)}`),
    );
    const label = width > 52 ? [svg("text", { x: x(at) + 5, y: TOP + 14, fill: palette("text") }, may ? "allowed" : "blocked")] : [];
    return [rect, ...label];
  });
  return [svg("text", { x: 2, y: TOP + 14, fill: palette("text"), "font-weight": 600 }, "remediation"), ...parts];
}

/** The sign of something that starts. */
function diamond(cx: number, cy: number, palette: Palette, ...title: SVGElement[]): SVGElement {
  return svg(
    "path",
    {
      d: `M${cx} ${cy - 7}L${cx + 6} ${cy}L${cx} ${cy + 7}L${cx - 6} ${cy}Z`,
      fill: palette("accent"),
      stroke: palette("surface"),
      "stroke-width": 1.5,
    },
    ...title,
  );
}

/** The sign of something that may not start. */
function noEntry(cx: number, cy: number, palette: Palette, ...title: SVGElement[]): SVGElement {
  const circle = svg("circle", { cx, cy, r: 5, fill: palette("surface"), stroke: palette("text"), "stroke-width": 1.5 });
  return svg(
    "g",
    {},
    circle,
    svg("line", { x1: cx - 3.5, y1: cy + 3.5, x2: cx + 3.5, y2: cy - 3.5, stroke: palette("text"), "stroke-width": 1.5 }),
    ...title,
  );
}

/** What colours and signs mean, in as many lines as they need; only those that are there. */
function legend({ lanes }: Timeline, width: number, palette: Palette): { parts: SVGElement[]; height: number } {
  const used = new Set(lanes.flatMap(({ verdicts }) => verdicts.map(({ verdict }) => verdict)));
  const entries: [string, (cx: number, cy: number) => SVGElement][] = VERDICTS.filter((verdict) => used.has(verdict)).map((verdict) => [
    look(verdict).label,
    (cx, cy) => svg("rect", { x: cx - 6, y: cy - 6, width: 12, height: 12, rx: 2, fill: palette(verdict) }),
  ]);
  if (lanes.some(({ actions }) => actions.length > 0)) entries.push(["remediation starts", (cx, cy) => diamond(cx, cy, palette)]);
  if (lanes.some(({ blocked }) => blocked.length > 0)) entries.push(["remediation blocked", (cx, cy) => noEntry(cx, cy, palette)]);
  const parts: SVGElement[] = [];
  let [x, y] = [2, 0];
  for (const [label, sign] of entries) {
    const wide = 32 + label.length * 6;
    if (x > 2 && x + wide > width) [x, y] = [2, y + LANE];
    parts.push(sign(x + 6, y + 9), svg("text", { x: x + 17, y: y + 13, fill: palette("text") }, label));
    x += wide;
  }
  return { parts, height: entries.length === 0 ? 0 : y + LANE + 4 };
}

function drawLane(
  { name, verdicts, actions, blocked }: Lane,
  y: number,
  end: number,
  x: (at: number) => number,
  palette: Palette,
  left: number,
): SVGElement[] {
  const parts = verdicts.map(({ at, verdict }, i) => {
    const to = verdicts[i + 1]?.at ?? end;
    return svg(
      "rect",
      { x: x(at), y: y + 4, width: Math.max(x(to) - x(at), 1), height: LANE - 8, rx: 2, fill: palette(verdict) },
      svg("title", {}, `${name}: ${look(verdict).label} from +${duration(at)}`),
    );
  });
  const marks = [
    ...blocked.map((at) => noEntry(x(at), y + LANE / 2, palette, svg("title", {}, `${name}: remediation blocked from +${duration(at)}`))),
    ...actions.map(({ at, action }) => diamond(x(at), y + LANE / 2, palette, svg("title", {}, `${name} ${action} at +${duration(at)}`))),
  ];
  const longest = Math.floor(left / 7.2);
  const shown = name.length > longest ? `…${name.slice(1 - longest)}` : name;
  return [svg("text", { x: 2, y: y + 14, fill: palette("text") }, shown, svg("title", {}, name)), ...parts, ...marks];
}

function description({ moments, lanes }: Timeline): string {
  if (moments.length === 0) return "Timeline: time alone changes nothing";
  const turning = lanes.filter(({ verdicts }) => verdicts.some(({ verdict }, i) => i > 0 && verdict === "unhealthy")).length;
  return `Timeline: ${moments.length} moments at which something changes, the first after ${duration(moments[0]?.at ?? 0)}; ${turning} machines turn unhealthy`;
}
