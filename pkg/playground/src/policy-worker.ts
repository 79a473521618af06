/** The page's worker: messages by type, and texts on demand. */
import { WorkerClient } from "capi-policy/elements";
import type { FromWorker, Request, ToWorker } from "./protocol";

/** What the worker says; `failed` and `ended` come from its client. */
type Message = FromWorker | { type: "ended"; message: string };
type Listener<Type extends Message["type"]> = (message: Extract<Message, { type: Type }>) => void;

export class PolicyWorker {
  private readonly listeners = new Map<string, ((message: never) => void)[]>();
  private readonly waiting = new Map<number, { resolve: (text: string) => void; reject: (failure: Error) => void }>();
  private requests = 0;
  private readonly client = new WorkerClient<ToWorker, FromWorker>(
    () => new Worker(new URL("./worker/worker.ts", import.meta.url), { type: "module", name: "policy" }),
    {
      message: (message) => (message.type === "answer" ? this.answered(message) : this.tell(message)),
      failed: (message) => this.tell({ type: "failed", message }),
      ended: (message) => {
        this.forget();
        this.tell({ type: "ended", message });
      },
    },
  );

  /** Calls back for every message of a type. */
  on<Type extends Message["type"]>(type: Type, listener: Listener<Type>): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }

  send(message: ToWorker): void {
    this.client.send(message);
  }

  /** Asks for a text. */
  request(what: Request): Promise<string> {
    const id = ++this.requests;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ type: "request", id, what });
    });
  }

  restart(): void {
    this.client.restart();
    this.forget();
  }

  /** Nobody will answer what was asked before. */
  private forget(): void {
    for (const { reject } of this.waiting.values()) reject(new Error("The policy was started again: please repeat that."));
    this.waiting.clear();
  }

  private tell(message: Message): void {
    for (const listener of this.listeners.get(message.type) ?? []) listener(message as never);
  }

  private answered({ id, text, failure }: Extract<FromWorker, { type: "answer" }>): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (failure === undefined) waiting?.resolve(text ?? "");
    else waiting?.reject(new Error(failure));
  }
}
