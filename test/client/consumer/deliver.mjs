import { deliverTo } from "./deliveries.mjs";

await deliverTo(process.env.ORIGIN);
console.log("Everything worked.");
