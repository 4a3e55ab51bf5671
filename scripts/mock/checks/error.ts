/** A refusal of the control interface. The message becomes the response body; it names the problem and the accepted values. */
export class ControlError extends TypeError {
  override readonly name = "ControlError";
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
