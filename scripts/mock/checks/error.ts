/** A refusal of the control interface. The message says what is wrong and what is possible, and is the response. */
export class ControlError extends TypeError {
  override readonly name = "ControlError";
  /** The HTTP status of the response. */
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
