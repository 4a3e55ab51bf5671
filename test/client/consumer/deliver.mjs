// Posts webhooks to the receiver that listens at ORIGIN.
import { deliverTo } from "./deliveries.mjs";

await deliverTo(process.env.ORIGIN);
console.log("Everything worked.");
