/** What the keywords of JSON Schema and of this contract do to the values that they allow. */

/** Keywords that only tell people something. */
export const annotations: readonly string[] = [
  ...["title", "description", "example", "examples", "$comment", "externalDocs", "x-open-questions", "x-error"],
];

/** Keywords with a number: 1 where a larger one allows fewer values, -1 where it allows more. */
export const limits: Readonly<Record<string, 1 | -1>> = {
  ...{ minimum: 1, exclusiveMinimum: 1, minLength: 1, minItems: 1, minProperties: 1 },
  ...{ maximum: -1, exclusiveMaximum: -1, maxLength: -1, maxItems: -1, maxProperties: -1, "x-max-bytes": -1 },
};
