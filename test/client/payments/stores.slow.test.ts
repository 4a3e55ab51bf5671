import { it } from "vitest";
import { checkedWriteCount, expectFailureOfWrite } from "./wrong-writes.ts";

it("a store fails the conformance check when any one of its writes returns a wrong result", async () => {
  for (let wrongWrite = 1; wrongWrite <= checkedWriteCount; wrongWrite += 1) await expectFailureOfWrite(wrongWrite);
});
