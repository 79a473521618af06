/** What went wrong: a value or a text that can't be read, more than the policy accepts, or an object that a fleet does not have. */
export type PolicyErrorCode = "invalid" | "syntax" | "tooLarge" | "tooDeep" | "notFound";

/** A snapshot that can't be evaluated. Whoever asked keeps what they had. */
export class PolicyError extends Error {
  override readonly name = "PolicyError";
  /** What went wrong; the same codes as in every other build of the policy. */
  readonly code: PolicyErrorCode;
  /** Where in the snapshot, as in `machines[2].metadata.name`, where that is known. */
  readonly path: string | undefined;

  constructor(message: string, path?: string, code: PolicyErrorCode = "invalid") {
    super(message);
    this.path = path;
    this.code = code;
  }

  /** What the module threw, as a PolicyError where it is one: those come as JSON text. */
  static from(thrown: unknown): unknown {
    if (typeof thrown !== "string") {
      return thrown;
    }
    const { message, path, code } = JSON.parse(thrown) as { message: string; path?: string; code: PolicyErrorCode };
    return new PolicyError(message, path, code);
  }
}
