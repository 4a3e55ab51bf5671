/** Takes what is proposed out of parameters, requests and answers, but for the P-codes of answers. */
import type {
  JsonSchema,
  MediaTypeObject,
  ParameterObject,
  Ref,
  RequestBodyObject,
  ResponseObject,
} from "../../contract/index.ts";
import type { Draft } from "./draft.ts";
import { operationsOf, partsOf } from "./parts.ts";

const bodyNotShown = "What the body holds is not shown.";

/** The least that each kind of body can hold. */
const leastValues = { array: [], string: "", object: {} };

/** A body of which nothing is known: any object, any text, or any value where a list was proposed. */
export function openBody({ type }: { type?: unknown }): MediaTypeObject {
  const kind = type === "array" || type === "string" ? type : "object";
  const open = kind === "array" ? {} : { type: kind };
  const example = { summary: "Empty, since the body is not shown", value: structuredClone(leastValues[kind]) };
  return { schema: { ...open, description: bodyNotShown } as JsonSchema, examples: { notShown: example } };
}

/**
 * Takes out proposed parameters. One of a path stays: the path would be another one without it. A parameter whose schema
 * is proposed takes any text.
 */
export function filterParameters(draft: Draft): void {
  const known = (parameter: ParameterObject | Ref) => {
    return draft.target<ParameterObject>(parameter)?.in === "path" || !draft.isProposed(parameter);
  };
  for (const [operation, item] of operationsOf(draft.document.paths)) {
    for (const holder of [operation, item]) {
      if (holder.parameters === undefined) continue;
      holder.parameters = holder.parameters.filter(known);
      if (holder.parameters.length === 0) delete holder.parameters;
    }
  }
  for (const parameter of partsOf(draft.document).parameters) {
    if (draft.isProposed(parameter.schema)) parameter.schema = { type: "string" } as JsonSchema;
  }
}

/**
 * Takes out proposed answers and links. The only success of an operation stays with its status, since OpenAPI demands
 * one, and with an open body.
 */
export function filterAnswers(draft: Draft): void {
  for (const [operation] of [...operationsOf(draft.document.paths), ...operationsOf(draft.document.webhooks)]) {
    const { responses } = operation;
    for (const [key, answer] of Object.entries(responses)) {
      if (!draft.isProposed(answer)) continue;
      const successes = Object.keys(responses).filter((status) => status.startsWith("2"));
      if (successes.length === 1 && successes[0] === key) responses[key] = openAnswer(draft, answer);
      else delete responses[key];
    }
  }
}

function openAnswer(draft: Draft, answer: ResponseObject | Ref): ResponseObject {
  const { content } = draft.target<ResponseObject>(answer) ?? {};
  const bodies = Object.entries(content ?? {}).map(([mediaType, { schema }]) => {
    return [mediaType, openBody(draft.target<JsonSchema>(schema) ?? {})] as const;
  });
  return {
    description: "Success. What the answer holds is not shown.",
    ...(bodies.length === 0 ? {} : { content: Object.fromEntries(bodies) }),
  };
}

/** Opens the bodies whose schema is proposed. Their examples go with it. */
export function openBodies(draft: Draft): void {
  const { requestBodies, responses } = partsOf(draft.document);
  for (const { content = {} } of [...requestBodies, ...responses]) {
    for (const [mediaType, { schema }] of Object.entries(content)) {
      if (!draft.isProposed(schema)) continue;
      content[mediaType] = openBody(draft.target<JsonSchema>(schema) ?? {});
    }
  }
  for (const response of responses) {
    const headers = (response.headers ?? {}) as Record<string, unknown>;
    for (const [name, header] of Object.entries(headers)) if (draft.isProposed(header)) delete headers[name];
  }
}

/** Opens the bodies of webhooks that have lost all of their fields. What is known of the webhook itself stays. */
export function openEmptiedEvents(draft: Draft): void {
  for (const [{ requestBody }] of operationsOf(draft.document.webhooks)) {
    const { content = {} } = draft.target<RequestBodyObject>(requestBody) ?? {};
    for (const [mediaType, { schema }] of Object.entries(content)) {
      const hasLost = draft.composed(schema).some((part) => draft.removedProperties.has(part));
      if (hasLost && draft.propertyNames(schema).size === 0) content[mediaType] = openBody({});
    }
  }
}
