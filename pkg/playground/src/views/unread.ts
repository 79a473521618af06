/** What was not read, and the command that reads it: what is not there is not the same as what nobody looked for. */
import { byId, el } from "../element";
import { missingCommands, versionCommand } from "../kubectl";
import type { Unread } from "../protocol";

const SHOWN = 4;

/** Says what is missing; nothing where nothing is. */
export function showUnread(unread: Unread): void {
  const section = byId("unread");
  const { kinds, outdated } = unread;
  section.hidden = kinds.length + outdated.length === 0;
  section.replaceChildren(
    ...(outdated.length === 0
      ? []
      : [
          el(
            "p",
            {},
            el("strong", {}, "Not evaluated as they stand: "),
            outdated.map(({ kind, version, count }) => `${count} ${kind}${count === 1 ? "" : "s"} of ${version}`).join(", "),
            ". The policy reads v1beta2; in older versions conditions stand elsewhere, and it would find none. This gets them as v1beta2:",
          ),
          command(versionCommand(unread)),
        ]),
    ...(kinds.length === 0
      ? []
      : [
          el(
            "p",
            {},
            el("strong", {}, "Not read: "),
            named(kinds),
            ". What depends on them is unknown, not missing. To add them, paste the output of these too:",
          ),
          ...missingCommands(unread).slice(0, SHOWN).map(command),
        ]),
  );
}

function named(kinds: Unread["kinds"]): string {
  const words = kinds.map(({ kind, workloadCluster }) =>
    workloadCluster ? `Nodes of ${workloadCluster.namespace ? `${workloadCluster.namespace}/` : ""}${workloadCluster.name}` : `${kind}s`,
  );
  return words.length > 8 ? `${words.slice(0, 7).join(", ")} and ${words.length - 7} more` : words.join(", ");
}

function command(text: string): HTMLElement {
  const said = el("button", { type: "button", class: "quiet" }, "Copy");
  said.addEventListener("click", () => {
    navigator.clipboard.writeText(text).then(
      () => (said.textContent = "Copied"),
      () => (said.textContent = "Select and copy: the browser does not let the page"),
    );
  });
  return el("div", { class: "command-line" }, el("code", {}, text), said);
}
