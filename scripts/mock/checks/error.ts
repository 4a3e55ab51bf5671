/** A refusal of the control interface. Its message is the response, and says what is wrong and which values are possible. */
export class ControlError extends TypeError {
  override readonly name = "ControlError";
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
