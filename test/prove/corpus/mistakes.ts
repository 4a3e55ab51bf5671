// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parts of programs
/** Common mistakes, each as a change of a correct program, with the run that finds it. */
import type { Change } from "../support.ts";
import { type Mistake, mistakesOf, type PlantedMistake } from "./mistake.ts";
import { onboardingMistakes } from "./onboarding-mistakes.ts";
import { treasuryMistakes } from "./treasury-mistakes.ts";

/** Sends a payment again when no record of it is found. */
const repeats: Change = {
  from: 'if (found === undefined) return console.log("unclear", reference);',
  to: "if (found === undefined) { const { body } = await send(row); note({ reference, step: 'accepted', id: body.transferId }); return; }",
};
const looksOnce: Change = { from: "isProved ? 2500 : 40_000", to: "0" };
const repeatsInPython: Change = {
  from: 'print("unclear", reference)\n        else:',
  to: 'payments.step(reference, "accepted", send(row))\n        else:',
};

const payoutsTs: readonly PlantedMistake[] = [
  { name: "repeats after one look", changes: [looksOnce, repeats], by: "late-effect:createTransfer:1" },
  { name: "repeats what the history shows late", changes: [looksOnce, repeats], by: "late-history:createTransfer:3" },
  {
    name: "does not note the intent",
    changes: [{ from: "    note(intent);\n", to: "" }],
    by: "killed-after:createTransfer:1",
  },
  {
    name: "notes the intent after the call",
    changes: [
      { from: "    note(intent);\n", to: "" },
      { from: "    if (status >= 200", to: "    note(intent);\n    if (status >= 200" },
    ],
    by: "killed-after:createTransfer:1",
  },
  {
    name: "notes the success before the call",
    changes: [{ from: "    note(intent);\n", to: "    note(intent);\n    note({ reference, step: 'final' });\n" }],
    by: "killed-before:createTransfer:1",
  },
  { name: "runs beside itself", changes: [{ from: "await lock();\n", to: "" }], by: "run-twice-at-once" },
  {
    name: "takes an earlier payment for this one",
    changes: [{ from: "known, at: at", to: "known: known.slice(0, 0), at: at" }],
    by: "request-lost:createTransfer:3",
  },
  {
    name: "takes a payment in the other direction for this one",
    changes: [
      {
        from: "|| units(record.amount) !== amount) return",
        to: "|| Math.abs(units(record.amount)) !== Math.abs(amount)) return",
      },
      { from: "known, at: at", to: "known: known.slice(0, 0), at: at" },
    ],
    by: "request-lost:createTransfer:4",
  },
  {
    name: "takes a SEPA transfer with another title for this one",
    changes: [
      { from: "record.transferTitle === row.title", to: "record.type === 'sepaTransfer'" },
      { from: "known, at: at", to: "known: row.kind === 'sepa' ? [] : known, at: at" },
    ],
    by: "request-lost:createPartnerSepaTransfer:2",
  },
  {
    name: "takes P501 for a refusal",
    changes: [{ from: '["P500", "P501"]', to: '["P500"]' }],
    by: "p501-after-effect:createTransfer:1",
  },
  {
    name: "takes P500 for a refusal",
    changes: [{ from: '["P500", "P501"]', to: '["P501"]' }],
    by: "p500-after-effect:createTransfer:1",
  },
  {
    name: "repeats after every status of a proxy",
    changes: [
      {
        from: "    if (status >= 200",
        to: "    if (status > 500 || status === 0) await send(row).catch(() => {});\n    if (status >= 200",
      },
    ],
    by: "proxy-502-after-effect:createTransfer:1",
  },
  {
    name: "has a transport that repeats lost calls",
    changes: [
      {
        from: "const response = await fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });",
        to: "const again = () => fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });\n  const response = await again().catch(again);",
      },
    ],
    by: "response-lost:createTransfer:1",
  },
  {
    name: "takes no response for a success",
    changes: [
      {
        from: "    if (status >= 200",
        to: "    if (status === 0) { note({ reference, step: 'final' }); return; }\n    if (status >= 200",
      },
    ],
    by: "request-lost:createTransfer:1",
  },
  {
    name: "says nothing of what is unclear",
    changes: [{ from: 'return console.log("unclear", reference);', to: "return;" }],
    by: "request-lost:createTransfer:1",
  },
  {
    name: "calls everything unclear",
    changes: [
      {
        from: 'if (last?.step === "final") return;',
        to: 'console.log("unclear", reference);\n  if (last?.step === "final") return;',
      },
    ],
    by: "run-again",
  },
  {
    name: "never ends while something is unclear",
    changes: [{ from: 'return console.log("unclear", reference);', to: "process.exit(1);" }],
    by: "request-lost:createTransfer:1",
  },
  {
    name: "takes an accepted payment for a final one",
    changes: [{ from: '"accepted", id: body.transferId', to: '"final", id: body.transferId' }],
    by: "ends-failed:createTransfer:1",
  },
  {
    name: "forgets its state",
    changes: [{ from: "  if (!existsSync(state)) return [];", to: "  if (csv !== '') return [];" }],
    by: "run-again",
  },
  {
    name: "prints the request that failed",
    changes: [
      {
        from: "const { status, body } = await send(row).catch((): Answer => ({",
        to: "const { status, body } = await send(row).catch((): Answer => (console.error('failed with', { key }), {",
      },
    ],
    by: "request-lost:createTransfer:1",
  },
  {
    name: "sends every SEPA transfer to one account",
    changes: [{ from: "destinationIban: iban,", to: "destinationIban: 'DE75512108001245126199'," }],
    by: "no-fault",
  },
  {
    name: "sends a SEPA transfer to the account of another row",
    changes: [
      { from: "destinationIban: iban,", to: "destinationIban: accounts[0] ?? iban," },
      {
        from: "await lock();\n",
        to: "await lock();\nconst accounts = readFileSync(csv, 'utf8').match(/DE\\d{20}/g) ?? [];\n",
      },
    ],
    by: "no-fault",
  },
  {
    name: "sends other amounts than those of the file",
    changes: [
      { from: "...side, amount, currency }", to: "...side, amount: String(Math.ceil(Number(amount))), currency }" },
    ],
    by: "no-fault",
  },
  {
    name: "looks for a while and then sends again",
    changes: [repeats],
    by: "effect-after-end:createTransfer:3",
  },
  {
    name: "sends again after a restart what it has sent and not found",
    changes: [
      {
        from: "  const found = await look(",
        to: "  if (own.length > 0 && !(await records(row, new Date(intent.at ?? ''))).some(({ id = '' }) => !intent.known?.includes(id))) { const { body } = await send(row); note({ reference, step: 'accepted', id: body.transferId }); return; }\n  const found = await look(",
      },
    ],
    by: "killed-effect-after-end:createTransfer:3",
  },
  {
    name: "calls failed what it does not pay",
    changes: [
      {
        from: "async function pay(row: Row, own: Step[], taken: Set<string>): Promise<void> {\n",
        to: "async function pay(row: Row, own: Step[], taken: Set<string>): Promise<void> {\n  if (row.kind === 'sepa') return console.log('failed', row.reference);\n",
      },
    ],
    by: "no-fault",
  },
  {
    name: "keeps the key in its state",
    changes: [{ from: "at: at.toISOString() };", to: "at: at.toISOString(), ...{ key } };" }],
    by: "no-fault",
  },
];

const payoutsPy: readonly PlantedMistake[] = [
  {
    name: "looks for a while and then sends again",
    changes: [repeatsInPython],
    by: "effect-after-end:createTransfer:3",
  },
  {
    name: "sends every SEPA transfer to one account",
    changes: [{ from: 'destinationIban=row["iban"]', to: 'destinationIban="DE75512108001245126199"' }],
    by: "no-fault",
  },
  {
    name: "repeats after one look",
    changes: [{ from: "2.5 if", to: "0 if" }, repeatsInPython],
    by: "late-effect:createTransfer:1",
  },
  {
    name: "notes the intent after the call",
    changes: [
      {
        from: '        payments.intend(reference, [one["id"] for one in records(row, at)], at)\n        try:\n            payments.step(reference, "accepted", send(row))\n',
        to: '        known = [one["id"] for one in records(row, at)]\n        try:\n            done = send(row)\n            payments.intend(reference, known, at)\n            payments.step(reference, "accepted", done)\n',
      },
      {
        from: "        except Unknown:\n            pass\n        payment = payments.find(reference)",
        to: "        except Unknown:\n            payments.intend(reference, known, at)\n        payment = payments.find(reference)",
      },
    ],
    by: "killed-after:createTransfer:1",
  },
  {
    name: "runs beside itself",
    changes: [
      { from: "fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)\n", to: "" },
      { from: "INSERT INTO payments", to: "INSERT OR REPLACE INTO payments" },
    ],
    by: "run-twice-at-once",
  },
  {
    name: "takes an earlier payment for this one",
    changes: [{ from: '[one["id"] for one in records(row, at)], at)', to: "[], at)" }],
    by: "request-lost:createTransfer:3",
  },
  {
    name: "takes P501 for a refusal",
    changes: [{ from: 'not in ("P500", "P501")', to: 'not in ("P500",)' }],
    by: "p501-after-effect:createTransfer:1",
  },
  {
    name: "takes a broken connection for a refusal",
    changes: [
      {
        from: "    except Exception as error:\n        raise Unknown() from error",
        to: "    except Exception as error:\n        raise Refused() from error",
      },
    ],
    by: "response-lost:createTransfer:1",
  },
  {
    name: "takes a status of a proxy for a refusal",
    changes: [
      {
        from: "        raise Unknown() from error\n    except Exception",
        to: "        raise Refused() from error\n    except Exception",
      },
    ],
    by: "proxy-502-after-effect:createTransfer:1",
  },
  {
    name: "commits at the end",
    changes: [
      { from: "isolation_level=None", to: "isolation_level='DEFERRED'" },
      { from: "        pay(store, line)", to: "        pay(store, line)\nstore.database.commit()" },
    ],
    by: "killed-on-response:createTransfer:2",
  },
  {
    name: "says nothing of a failure in the end",
    changes: [{ from: '        if failed:\n            print("failed", reference)\n', to: "" }],
    by: "ends-failed:createTransfer:1",
  },
  {
    name: "pays again what has failed",
    changes: [
      {
        from: "    if payment is None:\n",
        to: '    if payment is not None and payment["step"] == "failed":\n        payments.database.execute("DELETE FROM payments WHERE reference = ?", (reference,))\n        payment = None\n    if payment is None:\n',
      },
    ],
    by: "ends-failed:createTransfer:1",
  },
];

const receiverTs: readonly PlantedMistake[] = [
  {
    name: "counts every delivery",
    changes: [
      { from: "if (seen.has(key)) return 200;", to: "" },
      { from: " || counted.has(key)", to: "" },
    ],
    by: "three-times",
  },
  {
    name: "remembers deliveries only while it runs",
    changes: [
      { from: "new Set(read(state).map(({ key }) => key))", to: "new Set<string>()" },
      { from: " || counted.has(key)", to: "" },
    ],
    by: "everything-again",
  },
  {
    name: "knows an event by its id alone",
    changes: [{ from: "event.cryptoDepositId} ${event.status}`", to: "event.cryptoDepositId}`" }],
    by: "in-order",
  },
  {
    name: "acknowledges before it stores",
    changes: [
      {
        from: "    store(state, { key, webhook, event });",
        to: "    setTimeout(() => store(state, { key, webhook, event }), 50);",
      },
    ],
    by: "killed-after",
  },
  {
    name: "looks, waits and stores",
    changes: [
      {
        from: "    store(state, { key, webhook, event });",
        to: "    await new Promise((resolve) => setTimeout(resolve, 20));\n    store(state, { key, webhook, event });",
      },
      { from: " || counted.has(key)", to: "" },
    ],
    by: "five-at-once",
  },
  {
    name: "checks no token",
    changes: [{ from: "if (!isRight(request.headers.authorization)) return 401;", to: "" }],
    by: "forged",
  },
  {
    name: "checks a token only where there is one",
    changes: [{ from: "if (given === undefined) return false;", to: "if (!given) return true;" }],
    by: "forged",
  },
  {
    name: "compares the beginning of the token",
    changes: [
      {
        from: "return timingSafeEqual(digest(given), digest(token));",
        to: "return digest('') && token.startsWith(given);",
      },
      { from: "import { createHash, timingSafeEqual }", to: "import { createHash }" },
    ],
    by: "forged",
  },
  {
    name: "counts what has failed",
    changes: [{ from: 'event.status !== "SUCCESSFUL" ||', to: 'event.status === "IN_PROGRESS" ||' }],
    by: "ends-failed",
  },
  {
    name: "counts what has an unknown status",
    changes: [
      {
        from: 'event.status !== "SUCCESSFUL" ||',
        to: '["IN_PROGRESS", "FAILED", "UNSUCCESSFUL"].includes(String(event.status)) ||',
      },
    ],
    by: "unknown-values",
  },
  {
    name: "refuses members that it does not know",
    changes: [{ from: "    const key = `", to: "    if ('aNewMember' in event) return 400;\n    const key = `" }],
    by: "unknown-values",
  },
  {
    name: "ends with a body that is no JSON",
    changes: [
      { from: ".catch(() => undefined)) as", to: ") as" },
      { from: "      .catch(() => 500)\n", to: "" },
    ],
    by: "garbage",
  },
  {
    name: "lets the last event win",
    changes: [
      { from: "if (seen.has(key)) return 200;", to: "" },
      {
        from: "  for (const { key, webhook, event } of read(state)) {",
        to: "  const last = new Map(read(state).map((entry) => [`${entry.webhook} ${entry.event.id ?? entry.event.cryptoDepositId}`, entry]));\n  for (const { key, webhook, event } of last.values()) {",
      },
    ],
    by: "reversed",
  },
  {
    name: "prints the headers",
    changes: [
      { from: "    const webhook = paths", to: "    console.log(request.headers);\n    const webhook = paths" },
    ],
    by: "in-order",
  },
];

const receiverPy: readonly PlantedMistake[] = [
  { name: "counts every delivery", changes: [{ from: "(key TEXT PRIMARY KEY,", to: "(key TEXT," }], by: "three-times" },
  {
    name: "knows an event by its id alone",
    changes: [{ from: "{identity} {event.get('status')}", to: "{identity}" }],
    by: "in-order",
  },
  {
    name: "knows no id of crypto deposits",
    changes: [{ from: ' or event.get("cryptoDepositId")', to: "" }],
    by: "in-order",
  },
  {
    name: "looks before it inserts",
    changes: [
      { from: "(key TEXT PRIMARY KEY,", to: "(key TEXT," },
      {
        from: '            database.execute("INSERT OR IGNORE',
        to: '            if database.execute("SELECT 1 FROM events WHERE key = ?", (key,)).fetchone():\n                return 200\n            __import__(\'time\').sleep(0.02)\n            database.execute("INSERT OR IGNORE',
      },
    ],
    by: "five-at-once",
  },
  { name: "checks no token", changes: [{ from: "            return 401", to: "            pass" }], by: "forged" },
  {
    name: "counts what has failed",
    changes: [{ from: '!= "SUCCESSFUL"', to: 'not in ("SUCCESSFUL", "UNSUCCESSFUL", "FAILED")' }],
    by: "ends-failed",
  },
  {
    name: "acknowledges before it stores",
    changes: [
      { from: "        return 200\n\n    def log", to: "        return 200\n\n    def log" },
      {
        from: '        database = connect(self.state)\n        try:\n            database.execute("INSERT OR IGNORE INTO events VALUES (?, ?, ?)", (key, webhook, body.decode()))\n        finally:\n            database.close()\n',
        to: "        def later():\n            __import__('time').sleep(0.05)\n            connect(self.state).execute(\"INSERT OR IGNORE INTO events VALUES (?, ?, ?)\", (key, webhook, body.decode()))\n        __import__('threading').Thread(target=later).start()\n",
      },
    ],
    by: "killed-after",
  },
  {
    name: "stops at a wrong amount",
    changes: [
      { from: "(KeyError, InvalidOperation)", to: "KeyError" },
      {
        from: 'if event.get("status") != "SUCCESSFUL":\n            continue',
        to: 'if event.get("status") != "SUCCESSFUL":\n            continue',
      },
    ],
    by: "garbage",
  },
];

export const mistakes: readonly Mistake[] = [
  ...mistakesOf("payouts", "ts", payoutsTs),
  ...mistakesOf("payouts", "py", payoutsPy),
  ...treasuryMistakes,
  ...onboardingMistakes,
  ...mistakesOf("receiver", "ts", receiverTs),
  ...mistakesOf("receiver", "py", receiverPy),
];
