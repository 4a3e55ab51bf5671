import { healthPath, testEvent, webhookPaths } from "partner-wallet-api/webhooks";

const event = testEvent("p2pTransfer");
const deliveries = [
  { expected: 200, body: event },
  // The partner's function throws for this event, so the status 500 proves that the function was called.
  { expected: 500, body: { ...event, id: crypto.randomUUID(), status: "REFUSED" } },
  // Unlisted values are accepted; a body that breaks its type is refused.
  { expected: 200, body: { ...event, id: "7", currency: "EUR", createdAt: "2026-03-14T10:26:53+01:00", error: null } },
  { expected: 400, body: { ...event, id: 7 } },
  { expected: 401, body: event, authorization: "wrong" },
  { expected: 404, body: event, path: "/nowhere" },
  { expected: 200, body: {}, path: healthPath, authorization: "" },
  { expected: 503, body: testEvent("kycFileAdded"), path: webhookPaths.kycFileAdded },
];

/**
 * @param {string} origin the origin of the receiver, such as `http://localhost:3000`.
 * @param {(request: Request) => Promise<Response>} send the handler itself, for a receiver without a server.
 */
export async function deliverTo(origin, send = fetch) {
  for (const { expected, body, path = webhookPaths.p2pTransfer, authorization = "token" } of deliveries) {
    const headers = { "content-type": "application/json", authorization };
    const request = new Request(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const response = await send(request);
    const text = (await response.text()).slice(0, 300);
    if (response.status !== expected) throw new Error(`${path}: ${response.status} instead of ${expected}. ${text}`);
  }
}
