/** The commands that make an outside event happen in the mock, with the calls that it needs before. */
import { type Contract, type Operation, parseExpression, UsageError } from "../../contract/index.ts";
import {
  type CallBefore,
  type ControlOperation,
  type HappeningExample,
  happeningOperation,
  type MockControl,
} from "../site/mock-control.ts";
import { mockAddresses, sampleKey } from "./constants.ts";
import { curlSnippet } from "./curl.ts";
import { pathParameters } from "./linked-parameters.ts";
import { printJson, quote } from "./print-code.ts";
import { exampleParameters, filesOf, type SampleRequest } from "./request.ts";

interface Sources {
  contract: Contract;
  mockControl: MockControl;
}

/** Commands for a POSIX shell, to be pasted as a whole. */
export interface HappeningCommands {
  /** The calls before the last one: operations of the contract or of the control interface, or other outside events. */
  before: { kind: "operation" | "control" | "happening"; name: string }[];
  code: string;
}

/** A call of the contract or of the control interface. */
type Call = { request: SampleRequest } | { control: ControlOperation; path: string; body: unknown };

/**
 * The commands for an outside event; undefined where the control interface has no example of it.
 *
 * @param name as `resource.happening`.
 * @throws {UsageError} when a call before it names an operation or an example that does not exist.
 */
export function happeningCommands(name: string, sources: Sources): HappeningCommands | undefined {
  const example = sources.mockControl.happenings[name];
  if (example === undefined) return undefined;
  const steps = stepsOf(example, sources.mockControl);
  const calls = steps.map((step) => callOf(step, name, sources));
  const before = calls.slice(0, -1).map((call): HappeningCommands["before"][number] => {
    if ("request" in call) return { kind: "operation", name: call.request.operation.operationId };
    const { happening } = (call.body ?? {}) as { happening?: string };
    return happening === undefined
      ? { kind: "control", name: call.control.summary }
      : { kind: "happening", name: happening };
  });
  return { before, code: calls.map((call, index) => commandOf(call, calls[index - 1], calls[index + 1])).join("\n\n") };
}

/** The calls in their order; the last one is that of the example. */
function stepsOf({ value, "x-before": before = [] }: HappeningExample, control: MockControl): CallBefore[] {
  const earlier = before.flatMap((step) => {
    const example = step.operationId === happeningOperation && control.happenings[step.example ?? ""];
    return example ? stepsOf(example, control) : [step];
  });
  return [...earlier, { operationId: happeningOperation, body: value }];
}

function callOf(step: CallBefore, name: string, { contract, mockControl }: Sources): Call {
  const { operationId, parameters = {}, example, body } = step;
  const control = mockControl.operations.find((candidate) => candidate.operationId === operationId);
  if (control !== undefined && example === undefined) {
    const values = { ...control.parameters, ...parameters };
    const path = control.path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(values[key] ?? ""));
    return { control, path, body: body ?? control.body };
  }
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  const found = operation && requestOf(operation, step, contract);
  if (found !== undefined) return { request: found };
  const missing = `${operationId}${example === undefined ? "" : ` with an example ${example}`}`;
  throw new UsageError(
    `openapi/mock-control.yaml: x-before of the example ${name} names ${missing}, which is not there.`,
  );
}

function requestOf(
  operation: Operation,
  { parameters = {}, example: name, body: json }: CallBefore,
  contract: Contract,
): SampleRequest | undefined {
  const shared = {
    operation,
    path: { ...pathParameters(operation, contract), ...parameters },
    query: exampleParameters(operation, "query"),
    prefer: undefined,
  };
  if (name === undefined) return { ...shared, json, files: undefined };
  for (const body of operation.requestBody?.bodies ?? []) {
    const example = body.examples.find((candidate) => candidate.name === name);
    if (example === undefined) continue;
    const isForm = /^multipart\//.test(body.mediaType);
    return isForm
      ? { ...shared, json: undefined, files: filesOf(body, example.value) }
      : { ...shared, json: example.value, files: undefined };
  }
  return undefined;
}

/** What the answer to a call gives to the body of the next one is kept in variables of the shell. */
function commandOf(call: Call, previous: Call | undefined, next: Call | undefined): string {
  if ("control" in call) return controlCommand(call);
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

function controlCommand({ control: { method }, path, body }: Extract<Call, { control: unknown }>): string {
  const isUsual = method === (body === undefined ? "get" : "post");
  const url = `${mockAddresses.base_url}${path}`;
  return [
    `curl -i ${isUsual ? "" : `-X ${method.toUpperCase()} `}${quote(url)}`,
    `-H ${quote(`x-api-key: ${sampleKey}`)}`,
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quote(printJson(body))}`]),
  ].join(" \\\n  ");
}
