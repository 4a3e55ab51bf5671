/** A call that the service refuses: thrown by a behaviour, answered with the documented body. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  /** The P-code; undefined for the documented 404 without one. */
  readonly code: string | undefined;

  /** @param detail names what was sent, and nothing sensitive. */
  constructor(code: string | undefined, detail: string) {
    super(detail);
    this.code = code;
  }
}
