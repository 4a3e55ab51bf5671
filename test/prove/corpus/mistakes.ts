// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parts of programs
import type { Change } from "../support.ts";
import { type Mistake, mistakesOf, type PlantedMistake } from "./mistake.ts";
import { onboardingMistakes } from "./onboarding-mistakes.ts";
import { treasuryMistakes } from "./treasury-mistakes.ts";

const repeatChange: Change = [
  'if (found === undefined) return console.log("unclear", reference);',
  "if (found === undefined) { const { body } = await send(row); note({ reference, step: 'accepted', id: body.transferId }); return; }",
];
const lookOnceChange: Change = ["prove ? 2500 : 40_000", "0"];

const payoutsTs: readonly PlantedMistake[] = [
  ["repeats after one look", "late-effect:createTransfer:1", lookOnceChange, repeatChange],
  ["repeats what appears late in the history", "late-history:createTransfer:3", lookOnceChange, repeatChange],
  ["does not note the intent", "killed-after:createTransfer:1", ["    note(intent);\n", ""]],
  [
    "notes the intent after the call",
    "killed-after:createTransfer:1",
    ["    note(intent);\n", ""],
    ["    if (status >= 200", "    note(intent);\n    if (status >= 200"],
  ],
  [
    "notes the success before the call",
    "killed-before:createTransfer:1",
    ["    note(intent);\n", "    note(intent);\n    note({ reference, step: 'final' });\n"],
  ],
  ["runs twice at once", "run-twice-at-once", ["await lock();\n", ""]],
  [
    "takes an earlier payment for this one",
    "request-lost:createTransfer:3",
    ["knownIds, at: sentAt", "knownIds: knownIds.slice(0, 0), at: sentAt"],
  ],
  [
    "takes a payment in the other direction for this one",
    "request-lost:createTransfer:4",
    ["|| units(record.amount) !== amount) return", "|| Math.abs(units(record.amount)) !== Math.abs(amount)) return"],
    ["knownIds, at: sentAt", "knownIds: knownIds.slice(0, 0), at: sentAt"],
  ],
  [
    "takes a SEPA transfer with another title for this one",
    "request-lost:createPartnerSepaTransfer:2",
    ["record.transferTitle === row.title", "record.type === 'sepaTransfer'"],
    ["knownIds, at: sentAt", "knownIds: row.kind === 'sepa' ? [] : knownIds, at: sentAt"],
  ],
  ["treats P501 as a refusal", "p501-after-effect:createTransfer:1", ["/^P4", "/^P501$/.test(code) || /^P4"]],
  ["treats P500 as a refusal", "p500-after-effect:createTransfer:1", ["/^P4", "/^P500$/.test(code) || /^P4"]],
  [
    "repeats after every status of a proxy",
    "proxy-502-after-effect:createTransfer:1",
    [
      "    if (status >= 200",
      "    if (status > 500 || status === 0) await send(row).catch(() => {});\n    if (status >= 200",
    ],
  ],
  [
    "has a transport that repeats lost calls",
    "response-lost:createTransfer:1",
    [
      "const response = await fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });",
      "const again = () => fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });\n  const response = await again().catch(again);",
    ],
  ],
  [
    "treats a missing response as a success",
    "request-lost:createTransfer:1",
    [
      "    if (status >= 200",
      "    if (status === 0) { note({ reference, step: 'final' }); return; }\n    if (status >= 200",
    ],
  ],
  [
    "does not report unclear payments",
    "request-lost:createTransfer:1",
    ['return console.log("unclear", reference);', "return;"],
  ],
  [
    "reports everything as unclear",
    "run-again",
    [
      'if (last?.step === "final") return;',
      'console.log("unclear", reference);\n  if (last?.step === "final") return;',
    ],
  ],
  [
    "never ends while something is unclear",
    "request-lost:createTransfer:1",
    ['return console.log("unclear", reference);', "process.exit(1);"],
  ],
  [
    "treats an accepted payment as final",
    "ends-failed:createTransfer:1",
    ['"accepted", id: body.transferId', '"final", id: body.transferId'],
  ],
  ["forgets its state", "run-again", ["  if (!existsSync(state)) return [];", "  if (csv !== '') return [];"]],
  [
    "prints the request that failed",
    "request-lost:createTransfer:1",
    [
      "const { status, body } = await send(row).catch((): CallResult => ({",
      "const { status, body } = await send(row).catch((): CallResult => (console.error('failed with', { key }), {",
    ],
  ],
  [
    "sends every SEPA transfer to one account",
    "no-fault",
    ["destinationIban: iban,", "destinationIban: 'DE75512108001245126199',"],
  ],
  [
    "sends a SEPA transfer to the account of another row",
    "no-fault",
    ["destinationIban: iban,", "destinationIban: accounts[0] ?? iban,"],
    ["await lock();\n", "await lock();\nconst accounts = readFileSync(csv, 'utf8').match(/DE\\d{20}/g) ?? [];\n"],
  ],
  [
    "sends other amounts than those of the file",
    "no-fault",
    ["...side, amount, currency }", "...side, amount: String(Math.ceil(Number(amount))), currency }"],
  ],
  ["looks for a while and then sends again", "effect-after-end:createTransfer:3", repeatChange],
  [
    "sends again after a restart what it has sent and not found",
    "killed-effect-after-end:createTransfer:3",
    [
      "  const found = await waitForNewRecord(",
      "  if (ownSteps.length > 0 && !(await records(row, new Date(intent.at ?? ''))).some(({ id = '' }) => !intent.knownIds?.includes(id))) { const { body } = await send(row); note({ reference, step: 'accepted', id: body.transferId }); return; }\n  const found = await waitForNewRecord(",
    ],
  ],
  [
    "reports unpaid rows as failed",
    "no-fault",
    [
      "async function pay(row: Row, ownSteps: Step[], takenIds: Set<string>): Promise<void> {\n",
      "async function pay(row: Row, ownSteps: Step[], takenIds: Set<string>): Promise<void> {\n  if (row.kind === 'sepa') return console.log('failed', row.reference);\n",
    ],
  ],
  [
    "keeps the key in its state",
    "no-fault",
    ["at: sentAt.toISOString() };", "at: sentAt.toISOString(), ...{ key } };"],
  ],
];

const payoutsPy: readonly PlantedMistake[] = [
  [
    "treats a broken connection as a refusal",
    "response-lost:createTransfer:1",
    [
      "    except Exception as error:\n        raise Unknown() from error",
      "    except Exception as error:\n        raise Refused() from error",
    ],
  ],
  [
    "treats the status of a proxy as a refusal",
    "proxy-502-after-effect:createTransfer:1",
    [
      "        raise Unknown() from error\n    except Exception",
      "        raise Refused() from error\n    except Exception",
    ],
  ],
  [
    "commits at the end",
    "killed-on-response:createTransfer:2",
    ["isolation_level=None", "isolation_level='DEFERRED'"],
    ["        pay(store, line)", "        pay(store, line)\nstore.database.commit()"],
  ],
  [
    "does not report a later failure",
    "ends-failed:createTransfer:1",
    ['        if failed:\n            print("failed", reference)\n', ""],
  ],
  [
    "pays again what has failed",
    "ends-failed:createTransfer:1",
    [
      "    if payment is None:\n",
      '    if payment is not None and payment["step"] == "failed":\n        payments.database.execute("DELETE FROM payments WHERE reference = ?", (reference,))\n        payment = None\n    if payment is None:\n',
    ],
  ],
];

const receiverTs: readonly PlantedMistake[] = [
  ["counts every delivery", "three-times", ["if (seen.has(key)) return 200;", ""], [" || counted.has(key)", ""]],
  [
    "remembers deliveries only while it runs",
    "everything-again",
    ["new Set(read(state).map(({ key }) => key))", "new Set<string>()"],
    [" || counted.has(key)", ""],
  ],
  [
    "knows an event by its id alone",
    "in-order",
    ["event.cryptoDepositId} ${String(event.status).toUpperCase()}`", "event.cryptoDepositId}`"],
  ],
  [
    "acknowledges before it stores",
    "killed-after",
    ["    store(state, { key, webhook, event });", "    setTimeout(() => store(state, { key, webhook, event }), 50);"],
  ],
  [
    "looks, waits and stores",
    "five-at-once",
    [
      "    store(state, { key, webhook, event });",
      "    await new Promise((resolve) => setTimeout(resolve, 20));\n    store(state, { key, webhook, event });",
    ],
    [" || counted.has(key)", ""],
  ],
  ["checks no token", "forged", ["if (!isRight(request.headers.authorization)) return 401;", ""]],
  [
    "checks a token only where there is one",
    "forged",
    ["if (given === undefined) return false;", "if (!given) return true;"],
  ],
  [
    "compares the beginning of the token",
    "forged",
    ["return timingSafeEqual(digest(given), digest(token));", "return digest('') && token.startsWith(given);"],
    ["import { createHash, timingSafeEqual }", "import { createHash }"],
  ],
  [
    "counts what has failed",
    "ends-failed",
    ['String(event.status).toUpperCase() !== "SUCCESSFUL" ||', 'event.status === "IN_PROGRESS" ||'],
  ],
  [
    "counts what has an unknown status",
    "unknown-values",
    [
      'String(event.status).toUpperCase() !== "SUCCESSFUL" ||',
      '["IN_PROGRESS", "FAILED", "UNSUCCESSFUL"].includes(String(event.status)) ||',
    ],
  ],
  [
    "refuses members that it does not know",
    "unknown-values",
    ["    const key = `", "    if ('aNewMember' in event) return 400;\n    const key = `"],
  ],
  [
    "ends with a body that is no JSON",
    "garbage",
    [".catch(() => undefined)) as", ") as"],
    ["      .catch(() => 500)\n", ""],
  ],
  [
    "keeps only the last event",
    "reversed",
    ["if (seen.has(key)) return 200;", ""],
    [
      "  for (const { key, webhook, event } of read(state)) {",
      "  const last = new Map(read(state).map((entry) => [`${entry.webhook} ${entry.event.id ?? entry.event.cryptoDepositId}`, entry]));\n  for (const { key, webhook, event } of last.values()) {",
    ],
  ],
  [
    "prints the headers",
    "in-order",
    ["    const webhook = paths", "    console.log(request.headers);\n    const webhook = paths"],
  ],
];

const receiverPy: readonly PlantedMistake[] = [
  ["knows no id of crypto deposits", "in-order", [' or event.get("cryptoDepositId")', ""]],
  [
    "looks before it inserts",
    "five-at-once",
    ["(key TEXT PRIMARY KEY,", "(key TEXT,"],
    [
      '            database.execute("INSERT OR IGNORE',
      '            if database.execute("SELECT 1 FROM events WHERE key = ?", (key,)).fetchone():\n                return 200\n            __import__(\'time\').sleep(0.02)\n            database.execute("INSERT OR IGNORE',
    ],
  ],
  ["stops at an invalid amount", "garbage", ["(KeyError, InvalidOperation)", "KeyError"]],
];

export const mistakes: readonly Mistake[] = [
  ...mistakesOf("payouts", "ts", payoutsTs),
  ...mistakesOf("payouts", "py", payoutsPy),
  ...treasuryMistakes,
  ...onboardingMistakes,
  ...mistakesOf("receiver", "ts", receiverTs),
  ...mistakesOf("receiver", "py", receiverPy),
];
