/** The decision in one line. */
import { summarize } from "capi-policy/summaries";
import { readable } from "../../../src/elements/moments";
import { byId, el } from "../element";
import type { Decision } from "../protocol";

/** The same as a sentence. */
export function headline({ evaluation }: Decision): string {
  const { kind, namespace, name, words } = summarize(evaluation);
  return `${kind} ${namespace ? `${namespace}/` : ""}${name}: ${words}`;
}

/** Shows which object was evaluated, under which rules, and what came out. */
export function showHeadline({ evaluation }: Decision): void {
  const { kind, namespace, name, profile, now, error } = evaluation;
  const { tone, words } = summarize(evaluation);
  byId("headline").replaceChildren(
    el("h2", {}, `${kind} `, el("strong", {}, namespace ? `${namespace}/${name}` : name || "(no name)")),
    el(
      "p",
      {},
      el("span", { class: `big ${tone}` }, words),
      el("span", { class: "chip" }, `at ${readable(now)}`),
      el("span", { class: "chip" }, `profile ${profile}`),
    ),
    error !== undefined ? el("p", { class: "error" }, `Error: ${error}`) : "",
  );
}
