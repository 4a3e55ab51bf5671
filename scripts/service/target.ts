/** The service that is compared with the contract. */
import { UsageError } from "../contract/messages/index.ts";

/** The service cannot be called. */
export class ServiceError extends UsageError {
  override name = "ServiceError";

  constructor(message: string) {
    super(message, 3);
  }
}

export interface Target {
  readonly baseUrl: string;
  readonly depositBaseUrl: string;
  readonly apiKey: string;
}
