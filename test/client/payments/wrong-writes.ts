import { checkPaymentStore, createMemoryStore, type PaymentStore } from "partner-wallet-api/payments";
import { expect } from "vitest";

/** The number of writes whose results the conformance check compares one by one. */
export const checkedWriteCount = 220;

/** Expects that the conformance check fails if the write with this number, counted from 1, returns a wrong result. */
export async function expectFailureOfWrite(wrongWrite: number): Promise<void> {
  const store = createMemoryStore();
  let writeCount = 0;
  const write: PaymentStore["write"] = async (payment) => {
    writeCount += 1;
    const isWrong = writeCount === wrongWrite;
    const outcome = await store.write(payment);
    return isWrong ? (outcome === "written" ? "changed" : "written") : outcome;
  };
  const checkResult = checkPaymentStore(() => ({ ...store, write }), { keeps: false });
  await expect(checkResult, `write ${wrongWrite}`).rejects.toThrow("The store is wrong");
}
