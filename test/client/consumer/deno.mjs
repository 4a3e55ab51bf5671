import { callService } from "./calls.mjs";
import { deliverTo } from "./deliveries.mjs";
import { handler } from "./receiver.mjs";

const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
await callService({ mainUrl: Deno.env.get("MAIN_URL"), depositUrl: Deno.env.get("DEPOSIT_URL") });
await deliverTo(`http://127.0.0.1:${server.addr.port}`);
await server.shutdown();
console.log("Everything worked.");
