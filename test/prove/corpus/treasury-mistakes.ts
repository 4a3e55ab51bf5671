/** Mistakes in treasury programs: locks that expire, fees of withdrawals, and orders that no history has. */
import { mistakesOf, type PlantedMistake } from "./mistake.ts";

const inTypeScript: readonly PlantedMistake[] = [
  {
    name: "sends an exchange again with a new lock when its response is lost",
    changes: [
      {
        from: 'if (last.code !== "P403") return last;',
        to: 'if (last.code !== "P403" && (kind === "order" || last.outcome !== "unknown")) return last;',
      },
    ],
    by: "response-lost:createPartnerExchange:1",
  },
  {
    name: "sends an order again with a new lock when its response is lost",
    changes: [
      {
        from: 'if (last.code !== "P403") return last;',
        to: 'if (last.code !== "P403" && (kind !== "order" || last.outcome !== "unknown")) return last;',
      },
    ],
    by: "response-lost:createOrder:1",
  },
  {
    name: "sends a call again with the same lock, and takes the used lock for a refusal",
    changes: [
      {
        from: '? await call("POST", "order", { lockId })\n',
        to: '? await call("POST", "order", { lockId }).then((first) => (first.outcome === "unknown" ? call("POST", "order", { lockId }) : first))\n',
      },
      { from: "const mostLocks = 3;", to: "const mostLocks = 1;" },
    ],
    by: "response-lost:createOrder:1",
  },
  {
    name: "looks for a withdrawal by its exact amount, and sends again",
    changes: [
      { from: "-Number(record.amount) >= Number(amount)", to: "-Number(record.amount) === Number(amount)" },
      {
        from: '    if (id === undefined) return console.log("unclear", reference);\n    step',
        to: '    if (id === undefined && kind === "withdraw") { await send(row); return; }\n    if (id === undefined) return console.log("unclear", reference);\n    step',
      },
    ],
    by: "response-lost:createPartnerCryptoWithdrawal:1",
  },
  {
    name: "forgets an exchange whose lock has expired",
    changes: [
      { from: "const mostLocks = 3;", to: "const mostLocks = 1;" },
      {
        from: 'if (outcome === "refused") step = note({ ...step, step: "refused" });',
        to: 'if (outcome === "refused") step = note({ ...step, step: "final" });',
      },
    ],
    by: "lock-expired:createPartnerExchangeRateLock:1",
  },
  {
    name: "takes every refusal of an order for an expired lock and stops with an exception",
    changes: [
      {
        from: 'if (last.code !== "P403") return last;',
        to: 'if (last.code === "P403" && kind === "order") process.exit(1);\n    return last;',
      },
      {
        from: 'if (known === undefined) return console.log("unclear", reference);',
        to: "if (known === undefined) process.exit(1);",
      },
      {
        from: 'if (id === undefined) return console.log("unclear", reference);',
        to: "if (id === undefined) process.exit(1);",
      },
    ],
    by: "lock-expired:createOrderRateLock:1",
  },
  {
    name: "keeps the intent after the call",
    changes: [
      {
        from: '    step = note({ reference, step: "intent", like, known });\n    const { outcome, data } = await send(row);\n',
        to: '    const { outcome, data } = await send(row);\n    step = note({ reference, step: "intent", like, known });\n',
      },
    ],
    by: "killed-after:createPartnerExchange:1",
  },
  {
    name: "sends every withdrawal to the first address",
    changes: [
      { from: "walletAddress: address, name", to: "walletAddress: first ?? address, name" },
      { from: "await lock();", to: "const first = /0x\\w+/.exec(readFileSync(csv, 'utf8'))?.[0];\nawait lock();" },
    ],
    by: "no-fault",
  },
  {
    name: "takes a withdrawal to another address for this one",
    changes: [
      { from: "other.like === like &&", to: "other.like === like && kind !== 'withdraw' &&" },
      { from: "!known.includes(id) && !taken.includes(id)", to: "!taken.includes(id) && known.length > 0" },
    ],
    by: "request-lost:createPartnerCryptoWithdrawal:2",
  },
  { name: "runs beside itself", changes: [{ from: "await lock();\n", to: "" }], by: "run-twice-at-once" },
  {
    name: "takes an accepted exchange for a final one",
    changes: [
      { from: 'if (step.step === "accepted" &&', to: 'if (kind !== "exchange" && step.step === "accepted" &&' },
    ],
    by: "ends-failed:createPartnerExchange:1",
  },
  {
    name: "prints the withdrawal that failed",
    changes: [
      {
        from: 'if (step.step === "intent") {\n',
        to: 'if (step.step === "intent") {\n    console.error("not found", row);\n',
      },
    ],
    by: "request-lost:createPartnerCryptoWithdrawal:1",
  },
];

const inPython: readonly PlantedMistake[] = [
  {
    name: "sends an exchange again with a new lock when its response is lost",
    changes: [
      {
        from: 'if (outcome, data) != ("refused", "P403"):',
        to: 'if outcome != "unknown" and (outcome, data) != ("refused", "P403"):',
      },
    ],
    by: "response-lost:createPartnerExchange:1",
  },
  {
    name: "looks for a withdrawal by its exact amount, and sends again",
    changes: [
      { from: '-Decimal(one["amount"]) >= amount', to: '-Decimal(one["amount"]) == amount' },
      {
        from: '        if found is None:\n            return "unclear"\n',
        to: '        if found is None and row["kind"] == "withdraw":\n            found = send(row)[1]["withdrawalId"]\n        if found is None:\n            return "unclear"\n',
      },
    ],
    by: "response-lost:createPartnerCryptoWithdrawal:1",
  },
  {
    name: "forgets an order whose lock has expired",
    changes: [
      { from: "    for _ in range(3):\n        lock_id", to: "    for _ in range(1):\n        lock_id" },
      {
        from: 'elif outcome == "refused":\n            keep(reference, "refused")',
        to: 'elif outcome == "refused":\n            keep(reference, "final")',
      },
    ],
    by: "lock-expired:createOrderRateLock:1",
  },
  {
    name: "takes P500 and P501 for refusals",
    changes: [{ from: 'not in (None, "P500", "P501")', to: "is not None" }],
    by: "p501-after-effect:createPartnerExchange:1",
  },
  {
    name: "takes an exchange of before for this one",
    changes: [{ from: "if one not in known and one not in taken]", to: "if one not in taken]" }],
    by: "request-lost:createPartnerExchange:1",
  },
  {
    name: "runs beside itself",
    changes: [
      { from: "fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)\n", to: "" },
      { from: '"insert into step', to: '"insert or replace into step' },
    ],
    by: "run-twice-at-once",
  },
  {
    name: "withdraws on the usual network, whatever the file says",
    changes: [{ from: '("amount", "currency", "network", "name",', to: '("amount", "currency", "name",' }],
    by: "no-fault",
  },
  {
    name: "commits at the end",
    changes: [
      { from: "isolation_level=None)", to: "isolation_level='DEFERRED')" },
      {
        from: '            print(said, line["reference"], flush=True)',
        to: '            print(said, line["reference"], flush=True)\ndb.commit()',
      },
    ],
    by: "killed-after:createPartnerExchange:2",
  },
];

export const treasuryMistakes = [
  ...mistakesOf("treasury", "ts", inTypeScript),
  ...mistakesOf("treasury", "py", inPython),
];
