/** A mistake in a call of the control interface, or of the corresponding function. The response contains the message and the status. */
export class ControlError extends TypeError {
  override readonly name = "ControlError";
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
