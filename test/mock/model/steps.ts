import type { InProcessMock } from "../../../scripts/mock/host/mock.ts";
import { type Call, type Service, send } from "../codes/calls.ts";

export interface ControlStep {
  readonly target: string;
  readonly body: object;
}

export type Step = { readonly call: Call } | { readonly control: ControlStep };

export interface StepResponse {
  readonly step: Step;
  readonly status: number;
  readonly text: string;
}

type Caller = Service & Pick<InProcessMock, "apiKey">;

export async function sendStep(mock: Caller, step: Step): Promise<StepResponse> {
  const response = "call" in step ? await send(mock, step.call) : await control(mock, step.control);
  return { step, status: response.status, text: await response.text() };
}

function control({ fetch, baseUrl, apiKey }: Caller, { target, body }: ControlStep): Promise<Response> {
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  return fetch(`${baseUrl}/__mock${target}`, { method: "POST", headers, body: JSON.stringify(body) });
}
