/** A snapshot that can't be evaluated. Whoever asked keeps what they had. */
export class PolicyError extends Error {
  override readonly name = "PolicyError";
  /** Where in the snapshot, as in `machines[2].metadata.name`, where that is known. */
  readonly path: string | undefined;

  constructor(message: string, path?: string) {
    super(message);
    this.path = path;
  }

  /** What the module threw, as a PolicyError where it is one. */
  static from(thrown: unknown): unknown {
    if (typeof thrown === "object" && thrown !== null && "message" in thrown && !(thrown instanceof Error)) {
      const { message, path } = thrown as { message: string; path?: string };
      return new PolicyError(message, path);
    }
    return thrown;
  }
}
