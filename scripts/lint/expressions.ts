/** Resolves the runtime expressions in x-requires and x-effects. */
import { type Body, type Operation, parseExpression, propertiesOf } from "../contract/index.ts";

/**
 * What is wrong with an expression, undefined when the operation has what it refers to: a parameter, a field of the
 * request body, or a field of the body of a success.
 */
export function expressionProblem(operation: Operation, text: string): string | undefined {
  const { label, parameters, requestBody, answers } = operation;
  const expression = parseExpression(text);
  // Its form is judged by `extension-value`.
  if (expression === undefined) return undefined;
  const { of, name } = expression;
  if (of === "path" || of === "query") {
    const exists = parameters.some((parameter) => parameter.in === of && parameter.name === name);
    return exists ? undefined : `${label} has no parameter ${name} in its ${of}`;
  }
  if (of === "request") {
    return hasField(requestBody?.bodies ?? [], name) ? undefined : `The request body of ${label} has no field ${name}`;
  }
  const successes = answers.filter(({ status }) => status >= 200 && status < 300);
  const exists = successes.some(({ bodies }) => hasField(bodies, name));
  return exists ? undefined : `No answer of a success of ${label} has a field ${name}`;
}

function hasField(bodies: Body[], name: string): boolean {
  return bodies.some(({ schema }) => propertiesOf(schema).has(name));
}
