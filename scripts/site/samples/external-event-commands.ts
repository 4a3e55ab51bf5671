import { UsageError } from "../../base/index.ts";
import {
  type ExternalEventExample,
  type MockControl,
  type PreparingCall,
  triggerOperation,
} from "../../contract/sources/index.ts";
import type { SiteContent } from "../content/site.ts";
import { mockAddresses } from "./addresses.ts";
import { curlCommand } from "./curl.ts";
import { fillPath } from "./path-template.ts";
import { callOf, callTo, requestExamples, requestOf } from "./request.ts";

type Sources = Pick<SiteContent, "contract" | "mockControl" | "sampleValues">;

/**
 * Returns the commands, for a POSIX shell, that trigger an external event in the mock.
 *
 * @param name the resource and the event: `resource.event`.
 * @returns undefined if the control interface has no example of the event.
 * @throws {UsageError} if `x-before` of the example names an operation or a request example that does not exist.
 */
export function externalEventCommands(name: string, sources: Sources): string | undefined {
  const example = sources.mockControl.externalEvents[name];
  if (example === undefined) return undefined;
  const steps = stepsOf(example, sources.mockControl);
  return steps.map((step) => commandOf(step, name, sources)).join("\n\n");
}

function stepsOf({ value, "x-before": before = [] }: ExternalEventExample, control: MockControl): PreparingCall[] {
  const earlierSteps = before.flatMap((step) => {
    const example = step.operationId === triggerOperation && control.externalEvents[step.example ?? ""];
    return example ? stepsOf(example, control) : [step];
  });
  return [...earlierSteps, { operationId: triggerOperation, body: value }];
}

function commandOf(step: PreparingCall, name: string, { contract, mockControl, sampleValues }: Sources): string {
  const { operationId, parameters = {}, example, body } = step;
  const control = mockControl.operations.find((candidate) => candidate.operationId === operationId);
  if (control !== undefined && example === undefined) {
    const examples = control.parameters.flatMap(({ name, example: value }) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const url = mockAddresses.base_url + fillPath(control.path, { ...Object.fromEntries(examples), ...parameters });
    return curlCommand(callTo(control.method, url, { json: body ?? control.body?.example }));
  }
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  const namedExample = operation && requestExamples(operation).find((candidate) => candidate.example.name === example);
  if (operation !== undefined && (namedExample !== undefined || example === undefined)) {
    const request = requestOf(operation, sampleValues, namedExample?.body, namedExample?.example);
    const path = { ...request.path, ...parameters };
    return curlCommand(callOf({ ...request, path, json: example === undefined ? body : request.json }));
  }
  const missingExample = `${operationId}${example === undefined ? "" : ` with an example ${example}`}`;
  throw new UsageError(
    `openapi/mock-control.yaml: x-before of the example ${name} names ${missingExample}, which is not there.`,
  );
}
