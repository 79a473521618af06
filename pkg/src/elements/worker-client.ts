/** The page's end of the line to a worker that runs the policy: says when it fails or ends, and starts another. */

/** What the page hears of the worker. */
export interface WorkerClientEvents<Message> {
  /** A message of the worker, `ready` included. */
  message: (message: Message) => void;
  /** It could not be started; `restart()` tries again. */
  failed: (reason: string) => void;
  /** It ended (a trap, a bug, or somebody closed it), and another one is being started: it knows nothing of what was sent before. */
  ended: (reason: string) => void;
}

/** Messages of the worker that the client reads; all others are only passed on. */
type Known = { type: "ready"; alive?: string } | { type: "failed"; message: string } | { type: "crashed"; message: string };

/**
 * Keeps a worker running. The worker posts `{ type: "ready", alive }` once it is loaded, where `alive` names a lock that it holds for as
 * long as it lives (nothing else tells a page that its worker was closed), `{ type: "failed", message }` when it can't be loaded, and
 * `{ type: "crashed", message }` when it can't go on.
 */
export class WorkerClient<ToWorker, FromWorker extends { type: string }> {
  private worker: Worker;
  private ready = false;

  constructor(
    private readonly make: () => Worker,
    private readonly events: WorkerClientEvents<FromWorker>,
  ) {
    this.worker = this.start();
  }

  send(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  /** Ends the worker and starts another. */
  restart(): void {
    this.worker.terminate();
    this.ready = false;
    this.worker = this.start();
  }

  private start(): Worker {
    const worker = this.make();
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => worker === this.worker && this.received(worker, data));
    worker.addEventListener("messageerror", () => this.ended(worker, "a message could not be read"));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.ended(worker, event.message || "its script could not be loaded");
    });
    return worker;
  }

  private received(worker: Worker, data: FromWorker): void {
    const message = data as unknown as Known;
    if (message.type === "crashed") return this.ended(worker, message.message);
    if (message.type === "failed") return this.events.failed(message.message);
    if (message.type === "ready") {
      this.ready = true;
      // Granted when the worker is gone.
      if (message.alive !== undefined) void navigator.locks?.request(message.alive, () => this.ended(worker, "it was closed"));
    }
    this.events.message(data);
  }

  private ended(worker: Worker, reason: string): void {
    if (worker !== this.worker) return;
    // One that never started would not start now either.
    if (!this.ready) return this.events.failed(reason);
    this.restart();
    this.events.ended(reason);
  }
}
