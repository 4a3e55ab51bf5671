// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parts of programs
import { mistakesOf } from "./mistake.ts";

export const onboardingMistakes = mistakesOf("onboarding", "ts", [
  [
    "treats an existing user as a failure",
    "response-lost:createUserAccount:1",
    [' && created.code !== "P411") return', ") return"],
  ],
  [
    "treats a lost response as a failure",
    "response-lost:createUserAccount:1",
    ['if (created.outcome === "unknown") return "again";', 'if (created.outcome === "unknown") return "failed";'],
  ],
  [
    "creates another user when the first response is lost",
    "response-lost:createUserAccount:2",
    [
      'if (created.outcome === "unknown") return "again";',
      'if (created.outcome === "unknown") return onboard({ ...row, reference: `${externalUserId}-b`, phone: `${phone}1`, email: `b${email}` });',
    ],
  ],
  ["sends no back of an identity card", "no-fault", ["back_id: back, selfie", "selfie"]],
  [
    "does not finalise a hosted verification",
    "no-fault",
    [
      'status = way === "hosted" ? await waitForDecision(externalUserId) : undefined;',
      'status = way === "hosted" ? await waitForDecision(externalUserId) : undefined;\n    if (way === "hosted") return "verified";',
    ],
  ],
  [
    "finalises again without a check",
    "response-lost:addUserVerification:1",
    [
      'if (finalised.outcome === "unknown") return "again";',
      'if (finalised.outcome === "unknown") await call("POST", "user/verification", { externalUserId, ...document, ...reasons });',
    ],
  ],
  [
    "ends with 0 when a call has failed",
    "p501-no-effect:addKycFiles:1",
    ['if (end === "again") process.exitCode = 1;', 'if (end === "again") console.error("later");'],
  ],
  ["does not report a rejection", "no-fault", ['if (end === "failed") console.log("failed", row.reference);', ""]],
  ["runs twice at once", "run-twice-at-once", ["await lock();\n", ""]],
  [
    "finalises with the document of another row",
    "no-fault",
    [
      "const document = { documentType, documentNumber,",
      "const document = { documentType, documentNumber: String(numbers.pop()),",
    ],
    ["await lock();", "const numbers = readFileSync(csv, 'utf8').match(/OP\\d+/g) ?? [];\nawait lock();"],
  ],
  [
    "prints the request that failed",
    "request-lost:addUserVerification:1",
    [
      'if (finalised.outcome === "unknown") return "again";',
      'if (finalised.outcome === "unknown") { console.error("failed", document); return "again"; }',
    ],
  ],
  [
    "remembers a user before it is created",
    "request-lost:createUserAccount:1",
    ['if (created.outcome === "unknown") return "again";', 'if (created.outcome === "unknown") return "verified";'],
  ],
  ["treats P501 as a refusal", "p501-after-effect:addUserVerification:1", ["/^P4\\d\\d$/", "/^P(4\\d\\d|501)$/"]],
  [
    "starts another verification after a rejection",
    "run-again",
    ['  if (status?.attemptStatus === "REJECTED_BY_PROVIDER") return "failed";\n', ""],
  ],
]);
