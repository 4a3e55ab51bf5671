import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Ledger } from "../../../scripts/mock/kernel/ledger.ts";
import { Transactions } from "../../../scripts/mock/kernel/transactions.ts";

const postingFacts = { reference: "test", at: 0 };

describe("Ledger", () => {
  it.each([0n, -5n])("refuses to move %s", (units) => {
    expect(() =>
      new Ledger(new Transactions()).move({ ...postingFacts, from: "a", to: "b", currency: "eur", units }),
    ).toThrow("moves nothing");
  });

  it("has balances that are the sums of the postings, also after a rollback", () => {
    const account = fc.constantFrom("a", "b", "c");
    const currency = fc.constantFrom("eur", "btc");
    const move = fc.tuple(account, account, currency, fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.boolean());
    fc.assert(
      fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
        const transactions = new Transactions();
        const ledger = new Ledger(transactions);
        for (const [from, to, code, units, isRefused] of moves) {
          const work = () => {
            ledger.move({ ...postingFacts, from, to, currency: code, units });
            if (isRefused) throw new Error("refused");
          };
          if (isRefused) expect(() => transactions.runAtomically(work)).toThrow("refused");
          else transactions.runAtomically(work);
        }
        const keptMoves = moves.filter(([, , , , isRefused]) => !isRefused);
        expect(ledger.postings).toHaveLength(keptMoves.length);
        for (const code of ["eur", "btc"]) {
          for (const name of ["a", "b", "c"]) {
            const sum = keptMoves.reduce((total, [from, to, otherCode, units]) => {
              if (otherCode !== code) return total;
              return total + (to === name ? units : 0n) - (from === name ? units : 0n);
            }, 0n);
            expect(ledger.balance(name, code)).toBe(sum);
          }
        }
      }),
    );
  });
});
