import { PartnerApiError } from "partner-wallet-api";
import { wallet } from "../../../../../wallet.js";

export async function GET(_request, { params }) {
  const headers = { prefer: "code=400, example=P461" };
  const { error } = await wallet().listUserCards({ path: await params, headers });
  const message = error instanceof PartnerApiError ? error.errorCode : "The call was not refused.";
  return Response.json({ message }, { status: 422 });
}
