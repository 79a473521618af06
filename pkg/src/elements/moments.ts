/** Moments and durations as people read them. */

/** `2025-01-01T00:00:00Z` a number of seconds later. */
export function later(start: string, seconds: number): string {
  return new Date(Date.parse(start) + seconds * 1000).toISOString().replace(/\.\d+Z$/, "Z");
}

/** `2025-01-01 00:00:00` of an RFC 3339 moment. */
export function readable(moment: string): string {
  return moment.replace("T", " ").replace(/Z$/, "");
}

/** `1h 5m`, `4m 12s`, `0s`: the two largest units. */
export function duration(seconds: number): string {
  const sign = seconds < 0 ? "−" : "";
  const rest = Math.abs(Math.round(seconds));
  const units: [number, string][] = [
    [Math.floor(rest / 86_400), "d"],
    [Math.floor(rest / 3_600) % 24, "h"],
    [Math.floor(rest / 60) % 60, "m"],
    [rest % 60, "s"],
  ];
  const first = units.findIndex(([count]) => count > 0);
  if (first < 0) return "0s";
  return (
    sign +
    units
      .slice(first, first + 2)
      .filter(([count]) => count > 0)
      .map(([count, unit]) => `${count}${unit}`)
      .join(" ")
  );
}
