/** The decision in one line. */
import type { Decision } from "../protocol";
import { byId, el } from "../element";
import { readable } from "../moments";

/** Shows which object was judged, under which rules, and what came out. */
export function showHeadline({ evaluation }: Decision, stale: boolean): void {
  const { kind, namespace, name, profile, now, conditions, threshold, error } = evaluation;
  const count = (status: string): number => conditions.filter((condition) => condition.status === status).length;
  const verdict = threshold
    ? el("span", { class: `big ${threshold.allowed ? "good" : "bad"}` }, threshold.allowed ? "Remediation allowed" : "Remediation blocked")
    : el("span", { class: "big" }, ["True", "False", "Unknown"].map((status) => `${count(status)} ${status}`).join(" · "));
  byId("headline").replaceChildren(
    el("h2", {}, `${kind} `, el("strong", {}, namespace ? `${namespace}/${name}` : name || "(no name)")),
    el("p", {}, verdict, el("span", { class: "chip" }, `at ${readable(now)}`), el("span", { class: "chip" }, `profile ${profile}`), stale && el("span", { class: "chip bad" }, "last good decision")),
    error !== undefined ? el("p", { class: "error" }, `Error: ${error}`) : "",
  );
}
