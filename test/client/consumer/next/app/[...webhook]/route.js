import { handler } from "../../../receiver.mjs";

export const POST = handler;
