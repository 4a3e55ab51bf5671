// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parts of programs
/** Mistakes in onboarding programs: calls whose responses are lost, and steps that are left out or made twice. */
import { mistakesOf, type PlantedMistake } from "./mistake.ts";

const inTypeScript: readonly PlantedMistake[] = [
  {
    name: "takes a user who exists for a failure",
    changes: [{ from: ' && created.code !== "P411") return', to: ") return" }],
    by: "response-lost:createUserAccount:1",
  },
  {
    name: "takes a lost response for a failure",
    changes: [
      {
        from: 'if (created.outcome === "unknown") return "again";',
        to: 'if (created.outcome === "unknown") return "failed";',
      },
    ],
    by: "response-lost:createUserAccount:1",
  },
  {
    name: "creates another user when the first response is lost",
    changes: [
      {
        from: 'if (created.outcome === "unknown") return "again";',
        to: 'if (created.outcome === "unknown") return onboard({ ...row, reference: `${externalUserId}-b`, phone: `${phone}1`, email: `b${email}` });',
      },
    ],
    by: "response-lost:createUserAccount:2",
  },
  {
    name: "sends no back of an identity card",
    changes: [{ from: "back_id: back, selfie", to: "selfie" }],
    by: "no-fault",
  },
  {
    name: "does not finalise a hosted verification",
    changes: [
      {
        from: 'status = way === "hosted" ? await decided(externalUserId) : undefined;',
        to: 'status = way === "hosted" ? await decided(externalUserId) : undefined;\n    if (way === "hosted") return "verified";',
      },
    ],
    by: "no-fault",
  },
  {
    name: "finalises again without a look",
    changes: [
      {
        from: 'if (final.outcome === "unknown") return "again";',
        to: 'if (final.outcome === "unknown") await call("POST", "user/verification", { externalUserId, ...document, ...reasons });',
      },
    ],
    by: "response-lost:addUserVerification:1",
  },
  {
    name: "ends with 0 when a call has failed",
    changes: [
      { from: 'if (end === "again") process.exitCode = 1;', to: 'if (end === "again") console.error("later");' },
    ],
    by: "p501-no-effect:addKycFiles:1",
  },
  {
    name: "says nothing of a rejection",
    changes: [{ from: 'if (end === "failed") console.log("failed", row.reference);', to: "" }],
    by: "no-fault",
  },
  { name: "runs beside itself", changes: [{ from: "await lock();\n", to: "" }], by: "run-twice-at-once" },
  {
    name: "finalises with the document of another row",
    changes: [
      {
        from: "const document = { documentType, documentNumber,",
        to: "const document = { documentType, documentNumber: String(numbers.pop()),",
      },
      { from: "await lock();", to: "const numbers = readFileSync(csv, 'utf8').match(/OP\\d+/g) ?? [];\nawait lock();" },
    ],
    by: "no-fault",
  },
  {
    name: "prints the request that failed",
    changes: [
      {
        from: 'if (final.outcome === "unknown") return "again";',
        to: 'if (final.outcome === "unknown") { console.error("failed", document); return "again"; }',
      },
    ],
    by: "request-lost:addUserVerification:1",
  },
];

const inPython: readonly PlantedMistake[] = [
  {
    name: "takes a user who exists for a failure",
    changes: [{ from: 'if outcome == "refused" and code != "P411":', to: 'if outcome == "refused":' }],
    by: "killed-after:createUserAccount:1",
  },
  {
    name: "remembers a user before it is created",
    changes: [
      {
        from: '    if outcome == "unknown":\n        return "again"\n    if outcome == "refused" and code != "P411"',
        to: '    if outcome == "unknown":\n        return "verified"\n    if outcome == "refused" and code != "P411"',
      },
    ],
    by: "request-lost:createUserAccount:1",
  },
  {
    name: "does not wait for the hosted verification",
    changes: [{ from: 'status = decided(user) if row["way"] == "hosted" else None', to: 'return "verified"' }],
    by: "no-fault",
  },
  {
    name: "takes P501 for a refusal",
    changes: [{ from: 'not in (None, "P500", "P501")', to: 'not in (None, "P500")' }],
    by: "p501-after-effect:addUserVerification:1",
  },
  {
    name: "starts another verification after a rejection",
    changes: [
      {
        from: '    if status and status["attemptStatus"] == "REJECTED_BY_PROVIDER":\n        return "failed"\n',
        to: "",
      },
    ],
    by: "run-again",
  },
  {
    name: "finalises again without a look",
    changes: [
      {
        from: '    if outcome == "unknown":\n        return "again"\n    if outcome == "refused" and code != "P442":',
        to: '    if outcome == "unknown":\n        outcome, code = call("POST", "user/verification", body)\n    if outcome == "refused" and code != "P442":',
      },
    ],
    by: "response-lost:addUserVerification:2",
  },
  {
    name: "runs beside itself",
    changes: [{ from: "fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  #", to: "#" }],
    by: "run-twice-at-once",
  },
];

export const onboardingMistakes = [
  ...mistakesOf("onboarding", "ts", inTypeScript),
  ...mistakesOf("onboarding", "py", inPython),
];
