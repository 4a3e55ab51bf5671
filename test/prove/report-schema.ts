const text = { type: "string", minLength: 1 } as const;
const count = { type: "integer", minimum: 0 } as const;
const milliseconds = { type: "number", minimum: 0 } as const;
const object = (properties: Readonly<Record<string, object>>, optionalNames: readonly string[] = []) => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optionalNames.includes(name)),
  properties,
});
const list = (items: object) => ({ type: "array", items });

export const reportSchema = object({
  proof: { enum: ["payouts", "treasury", "onboarding", "receiver"] },
  version: text,
  seed: text,
  lateSeconds: { type: "number", exclusiveMinimum: 0 },
  isPassed: { type: "boolean" },
  isStopped: { type: "boolean" },
  conditions: list(
    object(
      {
        name: text,
        meaning: text,
        result: { enum: ["passed", "failed", "not-met"] },
        runs: count,
        failedRuns: count,
        unclear: count,
        milliseconds,
        rightUpToSeconds: { type: "number", minimum: 0 },
      },
      ["rightUpToSeconds"],
    ),
  ),
  findings: list(
    object(
      {
        condition: text,
        kind: text,
        title: text,
        seen: text,
        only: text,
        call: object({ operation: text, number: { type: "integer", minimum: 1 } }),
      },
      ["call"],
    ),
  ),
  input: list(text),
  remarks: list(text),
  questions: list(object({ id: { type: "string", pattern: "^Q-" }, question: text })),
  cannotProve: list(text),
  milliseconds,
});
