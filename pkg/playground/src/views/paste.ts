/** The way to one's own objects: the command that prints them, and where its output goes. */
import { byId, el } from "../element";
import { readCommand } from "../kubectl";

/** What the dialog asks for. */
export interface PasteEvents {
  /** Open this text. */
  pasted: (text: string) => void;
  /** Choose files. */
  files: () => void;
  /** Let somebody paste into the editor. */
  edit: () => void;
}

export class PasteView {
  private readonly dialog = byId<HTMLDialogElement>("paste");
  private readonly said = el("p", { class: "muted", role: "status", id: "paste-said" });

  constructor(private readonly events: PasteEvents) {
    const command = readCommand();
    const button = (id: string, label: string, act: () => unknown): HTMLElement =>
      el("button", { type: "button", id, click: () => void act() }, label);
    this.dialog.replaceChildren(
      el(
        "header",
        {},
        el("h2", { id: "paste-title" }, "Paste your own"),
        el("span", { class: "space" }),
        el("button", { type: "button", class: "quiet", "aria-label": "Close", click: () => this.dialog.close() }, "✕"),
      ),
      el("p", {}, "Run this against your management cluster. It only reads:"),
      el("pre", { class: "command", tabindex: 0, "aria-label": "kubectl command" }, el("code", { id: "paste-command" }, command)),
      el(
        "div",
        { class: "buttons" },
        button("paste-copy", "Copy the command", () => this.copy(command)),
        button("paste-clipboard", "Paste what it printed", () => this.paste()),
        button("paste-files", "Open files…", () => (this.dialog.close(), events.files())),
        button("paste-editor", "Paste into the editor", () => (this.dialog.close(), events.edit())),
      ),
      this.said,
      el(
        "p",
        { class: "muted" },
        "Files can be dropped anywhere on the page. Nothing leaves your browser. What else would help, such as Nodes, the page says once your objects are there.",
      ),
    );
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
  }

  open(): void {
    this.said.textContent = "";
    this.dialog.showModal();
  }

  private async copy(command: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(command);
      this.said.textContent = "The command is copied.";
    } catch {
      getSelection()?.selectAllChildren(byId("paste-command"));
      this.said.textContent = "The browser does not let the page copy: the command is selected.";
    }
  }

  private async paste(): Promise<void> {
    try {
      const text = await navigator.clipboard.readText();
      if (text.trim() === "") {
        this.said.textContent = "The clipboard is empty.";
        return;
      }
      this.dialog.close();
      this.events.pasted(text);
    } catch {
      this.said.textContent = "The browser does not let the page read the clipboard: paste into the editor instead.";
    }
  }
}
