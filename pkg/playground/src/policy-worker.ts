/** The page's end of the line to its worker. */
import type { FromWorker, Request, ToWorker } from "./protocol";

type Listener<Type extends FromWorker["type"]> = (message: Extract<FromWorker, { type: Type }>) => void;

export class PolicyWorker {
  private readonly worker = new Worker(new URL("./worker/worker.ts", import.meta.url), { type: "module", name: "policy" });
  private readonly listeners = new Map<string, ((message: never) => void)[]>();
  private readonly waiting = new Map<number, { resolve: (text: string) => void; reject: (failure: Error) => void }>();
  private requests = 0;

  constructor() {
    this.worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === "answer") this.answered(data);
      for (const listener of this.listeners.get(data.type) ?? []) listener(data as never);
    });
  }

  /** Calls back for every message of a type. */
  on<Type extends FromWorker["type"]>(type: Type, listener: Listener<Type>): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }

  send(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  /** Asks for a text. */
  request(what: Request): Promise<string> {
    const id = ++this.requests;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ type: "request", id, what });
    });
  }

  private answered({ id, text, failure }: Extract<FromWorker, { type: "answer" }>): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (failure === undefined) waiting?.resolve(text ?? "");
    else waiting?.reject(new Error(failure));
  }
}
