/** A snapshot that can't be evaluated. Whoever asked keeps what they had. */
export class PolicyError extends Error {
  override readonly name = "PolicyError";
  /** What went wrong: `invalid`, `syntax`, `tooLarge`, `tooDeep` or `notFound`. */
  readonly code: string;
  /** Where in the snapshot, as in `machines[2].metadata.name`, where that is known. */
  readonly path: string | undefined;

  constructor(message: string, path?: string, code = "invalid") {
    super(message);
    this.path = path;
    this.code = code;
  }

  /** What the module threw, as a PolicyError where it is one. */
  static from(thrown: unknown): unknown {
    if (typeof thrown === "object" && thrown !== null && "message" in thrown && !(thrown instanceof Error)) {
      const { message, path, code } = thrown as { message: string; path?: string; code?: string };
      return new PolicyError(message, path, code);
    }
    return thrown;
  }
}
