// A partner's worker: receives webhooks, and calls the service on request.
import { callService } from "../calls.mjs";
import { handler } from "../receiver.mjs";

export default {
  async fetch(request, { MAIN_URL: mainUrl, DEPOSIT_URL: depositUrl }) {
    if (new URL(request.url).pathname !== "/call-the-service") return handler(request);
    try {
      await callService({ mainUrl, depositUrl });
      return new Response(canMakeCode() ? "Code can be made here." : "Everything worked.");
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  },
};

/** Whether the runtime permits code generation, which validators such as Ajv need. Workers must not. */
function canMakeCode() {
  try {
    return new Function("return true")();
  } catch {
    return false;
  }
}
