/** What the mock says where the contract has no operation. */
import { type MockReply, plainText } from "./replies.ts";
import type { Route } from "./router.ts";

/** The reply to OPTIONS, which lets a page of another origin call the mock. */
export function optionsReply(found: Route, otherUrl: () => string): MockReply {
  if (found.kind !== "operation" && found.kind !== "wrongMethod") return unknownReply(found, otherUrl);
  const allowed = found.allowed.join(", ");
  const headers = {
    allow: allowed,
    "access-control-allow-methods": allowed,
    "access-control-allow-headers": "*",
    "access-control-max-age": "600",
  };
  return { status: 204, headers, body: "", template: found.template, code: undefined, notes: [] };
}

/** @param otherUrl gives the URL of the other address. */
export function unknownReply(found: Exclude<Route, { kind: "operation" }>, otherUrl: () => string): MockReply {
  switch (found.kind) {
    case "unknown": {
      const hint = found.nearest === undefined ? "" : ` The nearest one is ${found.nearest}`;
      return plainText(404, `The contract has no such path.${hint}`);
    }
    case "otherAddress": {
      const reply = plainText(404, `This path is available on the other address only: ${otherUrl()}`);
      return { ...reply, template: found.template };
    }
    case "otherEdition": {
      const [edition] = found.editions;
      const choice = `Choose it with --edition ${edition}, in a program with the option edition.`;
      const reply = plainText(404, `This operation is in the edition ${edition} only. ${choice}`);
      return { ...reply, template: found.template };
    }
    case "wrongMethod": {
      const allowed = found.allowed.join(", ");
      const reply = plainText(405, `This path allows these methods only: ${allowed}`);
      return { ...reply, headers: { ...reply.headers, allow: allowed }, template: found.template };
    }
  }
}
