/** Something that went wrong beside the document, said above everything else until it is closed. */
import { announce } from "../announce";
import { byId, el } from "../element";

/** Says it; `action` is a way out. */
export function showNotice(text: string, action?: { label: string; act: () => void }): void {
  const notice = byId("notice");
  const close = (): void => {
    notice.hidden = true;
  };
  notice.hidden = false;
  notice.replaceChildren(
    el("span", {}, text),
    action ? el("button", { type: "button", click: () => (close(), action.act()) }, action.label) : "",
    el("button", { type: "button", class: "quiet", "aria-label": "Close this message", click: close }, "✕"),
  );
  announce(text);
}
