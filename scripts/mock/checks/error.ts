/** A refusal by the control interface or by a function of the mock. `status` is the HTTP status. */
export class ControlError extends TypeError {
  override readonly name = "ControlError";
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
