import { wallet } from "../../../../wallet.js";

export async function GET(_request, { params }) {
  const { data, error } = await wallet().listUserCards({ path: await params });
  if (error !== undefined) return Response.json({ message: error.message }, { status: 502 });
  return Response.json({ cards: data.length });
}
