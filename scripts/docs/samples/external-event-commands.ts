/** The commands that make an external event happen in the mock, with the calls that it needs before. */
import { type Contract, parseExpression, UsageError } from "../../contract/index.ts";
import {
  type CallBefore,
  type ControlOperation,
  type ExternalEventExample,
  type MockControl,
  triggerOperation,
} from "../site/mock-control.ts";
import { curlCommand, curlSnippet } from "./languages.ts";
import { filledPath, mockAddresses, requestExamples, requestOf, type SampleRequest } from "./request.ts";

interface Sources {
  contract: Contract;
  mockControl: MockControl;
}

/** Commands for a POSIX shell, to be pasted as a whole. */
export interface ExternalEventCommands {
  /** The calls before the last one: operations of the contract or of the control interface, or other external events. */
  before: { kind: "operation" | "control" | "event"; name: string }[];
  code: string;
}

/** A call of the contract or of the control interface. */
type Call = { request: SampleRequest } | { control: ControlOperation; path: string; body: unknown };

/**
 * The commands for an external event; undefined where the control interface has no example of it.
 *
 * @param name as `resource.event`.
 * @throws {UsageError} when a call before it names an operation or an example that does not exist.
 */
export function externalEventCommands(name: string, sources: Sources): ExternalEventCommands | undefined {
  const example = sources.mockControl.externalEvents[name];
  if (example === undefined) return undefined;
  const steps = stepsOf(example, sources.mockControl);
  const calls = steps.map((step) => callOf(step, name, sources));
  const before = calls.slice(0, -1).map((call): ExternalEventCommands["before"][number] => {
    if ("request" in call) return { kind: "operation", name: call.request.operation.operationId };
    const { event } = (call.body ?? {}) as { event?: string };
    return event === undefined ? { kind: "control", name: call.control.summary } : { kind: "event", name: event };
  });
  return { before, code: calls.map((call, index) => commandOf(call, calls[index - 1], calls[index + 1])).join("\n\n") };
}

/** The calls in their order; the last one is that of the example. */
function stepsOf({ value, "x-before": before = [] }: ExternalEventExample, control: MockControl): CallBefore[] {
  const earlier = before.flatMap((step) => {
    const example = step.operationId === triggerOperation && control.externalEvents[step.example ?? ""];
    return example ? stepsOf(example, control) : [step];
  });
  return [...earlier, { operationId: triggerOperation, body: value }];
}

function callOf(step: CallBefore, name: string, { contract, mockControl }: Sources): Call {
  const { operationId, parameters = {}, example, body } = step;
  const control = mockControl.operations.find((candidate) => candidate.operationId === operationId);
  if (control !== undefined && example === undefined) {
    const path = filledPath(control.path, { ...control.parameters, ...parameters });
    return { control, path, body: body ?? control.body };
  }
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  const named = operation && requestExamples(operation).find((candidate) => candidate.example.name === example);
  if (operation !== undefined && (named !== undefined || example === undefined)) {
    const request = requestOf(operation, contract, named?.body, named?.example);
    const path = { ...request.path, ...parameters };
    return { request: { ...request, path, json: example === undefined ? body : request.json } };
  }
  const missing = `${operationId}${example === undefined ? "" : ` with an example ${example}`}`;
  throw new UsageError(
    `openapi/mock-control.yaml: x-before of the example ${name} names ${missing}, which is not there.`,
  );
}

/** What the answer to a call gives to the body of the next one is kept in variables of the shell. */
function commandOf(call: Call, previous: Call | undefined, next: Call | undefined): string {
  if ("control" in call) {
    const { control, path, body } = call;
    const url = `${mockAddresses.base_url}${path}`;
    return curlCommand({ method: control.method, url, json: body, files: undefined, prefer: undefined });
  }
  const taken = keptFor(previous, call);
  const json = { ...(call.request.json as object), ...Object.fromEntries(taken.map((name) => [name, `$${name}`])) };
  const request = taken.length === 0 ? call.request : { ...call.request, json };
  const expanded = taken.reduce((code, name) => code.replace(`$${name}`, `'"$${name}"'`), curlSnippet(request).code);
  const [kept] = keptFor(call, next);
  if (kept === undefined) return expanded;
  return `${kept}=$(${expanded.replace(/^curl -i /, "curl -s ")} |\n  sed 's/.*"${kept}": *"\\([^"]*\\)".*/\\1/')`;
}

/** The members of a body that the links of the contract take from the answer before. */
function keptFor(source: Call | undefined, target: Call | undefined): string[] {
  if (source === undefined || target === undefined || !("request" in source && "request" in target)) return [];
  const links = source.request.operation.answers.flatMap(({ place }) => place.at("links").entries());
  return links.flatMap(([, link]) => {
    const { operationId, requestBody = {} } = link.target.value as {
      operationId?: string;
      requestBody?: Record<string, string>;
    };
    if (operationId !== target.request.operation.operationId) return [];
    return Object.entries(requestBody).flatMap(([name, expression]) => {
      const { of, name: member } = parseExpression(expression) ?? {};
      return of === "response" && member === name ? [name] : [];
    });
  });
}
