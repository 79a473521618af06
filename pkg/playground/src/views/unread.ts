/** What was not read, and the command that reads it: what is not there is not the same as what nobody looked for. */
import { byId, el } from "../element";
import { missingCommands, versionCommand } from "../kubectl";
import type { Unread, UnreadKind } from "../protocol";

const SHOWN = 4;

/** What can be done about it. */
export interface UnreadEvents {
  /** There are no objects of these kinds. */
  none: (kinds: UnreadKind[]) => void;
  /** Add a text to the document. */
  add: (text: string) => void;
}

/** Says what is missing; nothing where nothing is. */
export function showUnread(unread: Unread, events: UnreadEvents): void {
  const section = byId("unread");
  section.hidden = unread.kinds.length + unread.outdated.length === 0;
  section.replaceChildren(
    ...(unread.outdated.length > 0 ? outdated(unread) : []),
    ...(unread.kinds.length > 0 ? missing(unread, events) : []),
  );
}

function outdated(unread: Unread): HTMLElement[] {
  const counted = unread.outdated.map(({ kind, version, count }) => `${count} ${kind}${count === 1 ? "" : "s"} of ${version}`);
  return [
    el("p", {}, el("strong", {}, "In a version that the policy does not read: "), `${counted.join(", ")}.`),
    el("p", {}, "In v1beta1 conditions stand elsewhere, so nothing below is to be trusted about them. This gets them as v1beta2:"),
    command(versionCommand(unread)),
  ];
}

function missing(unread: Unread, events: UnreadEvents): HTMLElement[] {
  const { kinds } = unread;
  const commands = missingCommands(unread);
  const added = el("button", { type: "button", id: "unread-add" }, "Add what it printed");
  added.addEventListener("click", () => {
    navigator.clipboard.readText().then(
      (text) => (text.trim() === "" ? (added.textContent = "The clipboard is empty") : events.add(text)),
      () => (added.textContent = "Paste it at the end of the editor, after a line with ---"),
    );
  });
  return [
    el("p", {}, el("strong", {}, "Not read: "), `${named(kinds)}. What depends on them counts as unknown, not as missing. To add them:`),
    ...commands.slice(0, SHOWN).map(command),
    commands.length > SHOWN && el("p", { class: "muted" }, `… and the same for ${commands.length - SHOWN} more clusters.`),
    el(
      "div",
      { class: "buttons" },
      added,
      el("button", { type: "button", id: "unread-none", class: "quiet", click: () => events.none(kinds) }, "There are none of these"),
    ),
  ].filter((each) => each !== false);
}

function named(kinds: UnreadKind[]): string {
  const words = kinds.map(({ kind, workloadCluster: cluster }) =>
    cluster ? `${kind}s of ${cluster.namespace ? `${cluster.namespace}/` : ""}${cluster.name}` : `${kind}s`,
  );
  return words.length > 8 ? `${words.slice(0, 7).join(", ")} and ${words.length - 7} more` : words.join(", ");
}

function command(text: string): HTMLElement {
  const copy = el("button", { type: "button", class: "quiet" }, "Copy");
  copy.addEventListener("click", () => {
    navigator.clipboard.writeText(text).then(
      () => (copy.textContent = "Copied"),
      () => (copy.textContent = "Select and copy: the browser does not let the page"),
    );
  });
  return el("div", { class: "command-line" }, el("code", {}, text), copy);
}
