/** Something that the control interface cannot do: what is wrong, and what is possible. Its message is the answer. */
export class ControlError extends TypeError {
  override readonly name = "ControlError";
  /** The HTTP status of the response. */
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
