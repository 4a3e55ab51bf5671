/** The message becomes the response body of the control interface. */
export class ControlError extends TypeError {
  override readonly name = "ControlError";
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
