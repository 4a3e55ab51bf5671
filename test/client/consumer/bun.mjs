import { callService } from "./calls.mjs";
import { deliverTo } from "./deliveries.mjs";
import { handler } from "./receiver.mjs";

const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: handler });
await callService({ mainUrl: process.env.MAIN_URL, depositUrl: process.env.DEPOSIT_URL });
await deliverTo(`http://127.0.0.1:${server.port}`);
await server.stop(true);
console.log("Everything worked.");
