import type { Change } from "../support.ts";
import { mistakesOf } from "./mistake.ts";

const forgetRefusedChanges: readonly Change[] = [
  ["const maxLocks = 3;", "const maxLocks = 1;"],
  [
    'if (outcome === "refused") step = note({ ...step, step: "refused" });',
    'if (outcome === "refused") step = note({ ...step, step: "final" });',
  ],
];

export const treasuryMistakes = mistakesOf("treasury", "ts", [
  [
    "sends an exchange again with a new lock when its response is lost",
    "response-lost:createPartnerExchange:1",
    [
      'if (last.code !== "P403") return last;',
      'if (last.code !== "P403" && (kind === "order" || last.outcome !== "unknown")) return last;',
    ],
  ],
  [
    "sends an order again with a new lock when its response is lost",
    "response-lost:createOrder:1",
    [
      'if (last.code !== "P403") return last;',
      'if (last.code !== "P403" && (kind !== "order" || last.outcome !== "unknown")) return last;',
    ],
  ],
  [
    "sends a call again with the same lock, and takes the used lock for a refusal",
    "response-lost:createOrder:1",
    [
      '? await call("POST", "order", { lockId })\n',
      '? await call("POST", "order", { lockId }).then((first) => (first.outcome === "unknown" ? call("POST", "order", { lockId }) : first))\n',
    ],
    ["const maxLocks = 3;", "const maxLocks = 1;"],
  ],
  [
    "looks for a withdrawal by its exact amount, and sends again",
    "response-lost:createPartnerCryptoWithdrawal:1",
    ["-Number(record.amount) >= Number(amount)", "-Number(record.amount) === Number(amount)"],
    [
      '    if (id === undefined) return console.log("unclear", reference);\n    step',
      '    if (id === undefined && kind === "withdraw") { await send(row); return; }\n    if (id === undefined) return console.log("unclear", reference);\n    step',
    ],
  ],
  [
    "forgets an exchange whose lock has expired",
    "lock-expired:createPartnerExchangeRateLock:1",
    ...forgetRefusedChanges,
  ],
  [
    "takes every refusal of an order for an expired lock and stops with an exception",
    "lock-expired:createOrderRateLock:1",
    [
      'if (last.code !== "P403") return last;',
      'if (last.code === "P403" && kind === "order") process.exit(1);\n    return last;',
    ],
    [
      'if (knownIds === undefined) return console.log("unclear", reference);',
      "if (knownIds === undefined) process.exit(1);",
    ],
    ['if (id === undefined) return console.log("unclear", reference);', "if (id === undefined) process.exit(1);"],
  ],
  [
    "keeps the intent after the call",
    "killed-after:createPartnerExchange:1",
    [
      '    step = note({ reference, step: "intent", group, knownIds });\n    const { outcome, data } = await send(row);\n',
      '    const { outcome, data } = await send(row);\n    step = note({ reference, step: "intent", group, knownIds });\n',
    ],
  ],
  [
    "sends every withdrawal to the first address",
    "no-fault",
    ["walletAddress: address, name", "walletAddress: first ?? address, name"],
    ["await lock();", "const first = /0x\\w+/.exec(readFileSync(csv, 'utf8'))?.[0];\nawait lock();"],
  ],
  [
    "takes a withdrawal to another address for this one",
    "request-lost:createPartnerCryptoWithdrawal:2",
    ["other.group === group &&", "other.group === group && kind !== 'withdraw' &&"],
    ["!knownIds.includes(id) && !takenIds.includes(id)", "!takenIds.includes(id) && knownIds.length > 0"],
  ],
  ["runs twice at once", "run-twice-at-once", ["await lock();\n", ""]],
  [
    "treats an accepted exchange as final",
    "ends-failed:createPartnerExchange:1",
    ['if (step.step === "accepted" &&', 'if (kind !== "exchange" && step.step === "accepted" &&'],
  ],
  [
    "prints the withdrawal that failed",
    "request-lost:createPartnerCryptoWithdrawal:1",
    ['if (step.step === "intent") {\n', 'if (step.step === "intent") {\n    console.error("not found", row);\n'],
  ],
  ["forgets an order whose lock has expired", "lock-expired:createOrderRateLock:1", ...forgetRefusedChanges],
  ["treats P500 and P501 as refusals", "p501-after-effect:createPartnerExchange:1", ["/^P4\\d\\d$/", "/^P\\d{3}$/"]],
  [
    "takes an earlier exchange for this one",
    "request-lost:createPartnerExchange:1",
    ["!knownIds.includes(id) && !takenIds.includes(id)", "!takenIds.includes(id)"],
  ],
  [
    "withdraws on the usual network, whatever the file says",
    "no-fault",
    ["const body = { amount, currency, network, wallet", "const body = { amount, currency, wallet"],
  ],
  [
    "stores its steps at the end",
    "killed-after:createPartnerExchange:2",
    [
      "function note(step: Step): Step {\n",
      'function note(step: Step): Step {\n  process.once("exit", () => store(step));\n  steps.set(step.reference, step);\n  return step;\n}\n\nfunction store(step: Step): Step {\n',
    ],
  ],
]);
