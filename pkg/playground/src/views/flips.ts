/** What is different because of what is tried out. */
import type { Change } from "capi-policy";
import type { Decision } from "../protocol";
import { byId, el } from "../element";

/** Lists what flips, or says that nothing does. */
export function showFlips({ flips }: Decision): void {
  const section = byId("flips");
  section.hidden = flips === undefined;
  if (!flips) return;
  section.replaceChildren(
    el("h3", { id: "flips-title" }, flips.count === 0 ? "Nothing flips" : "What flips"),
    flips.count === 0
      ? el("p", { class: "muted" }, "The decision is the same as for the document as it stands.")
      : el(
          "ul",
          { class: "plain flips" },
          ...flips.changes.map(flip),
          flips.count > flips.changes.length && el("li", { class: "muted" }, `… ${flips.count - flips.changes.length} more`),
        ),
  );
}

function flip({ subject, what, from, to }: Change): HTMLElement {
  return el("li", {}, el("strong", {}, `${subject} ${what}`), " ", el("del", {}, from ?? "none"), " → ", el("ins", {}, to ?? "none"));
}
