/** The decision in one line. */
import { readable } from "../../../src/elements/moments";
import { byId, el } from "../element";
import type { Decision } from "../protocol";
import { summary } from "../summary";

/** The same as a sentence. */
export function headline({ evaluation, outdated }: Decision): string {
  const { kind, namespace, name, words } = summary(evaluation, outdated);
  return `${kind} ${namespace ? `${namespace}/` : ""}${name}: ${words}`;
}

/** Shows which object was evaluated, under which rules, and what came out. */
export function showHeadline({ evaluation, outdated }: Decision): void {
  const { kind, namespace, name, profile, now, error } = evaluation;
  const { tone, words } = summary(evaluation, outdated);
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
