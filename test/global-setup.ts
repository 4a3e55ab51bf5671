/** Runs once before all tests: the clients import compiled validators, which are not committed. */
import { refreshValidators } from "../scripts/client/validators.ts";

export default function setup(): void {
  refreshValidators();
}
