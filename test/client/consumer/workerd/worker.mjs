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

/** Whether code can be generated, as validators such as Ajv do. Workers forbid it. */
function canMakeCode() {
  try {
    return new Function("return true")();
  } catch {
    return false;
  }
}
