// A partner's route handler in Next.js, for every webhook.
import { handler } from "../../../receiver.mjs";

export const POST = handler;
