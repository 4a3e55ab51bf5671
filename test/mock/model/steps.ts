/** What the model-based test does: calls of operations and of the control interface, each of which curl could make as well. */
import type { InProcessMock } from "../../../scripts/mock/mock.ts";
import { type Call, hasForm, send, targetOf } from "../codes/calls.ts";

/** A request to the control interface. */
export interface ControlStep {
  readonly target: string;
  readonly body: object;
}

export type Step = { readonly call: Call } | { readonly control: ControlStep };

/** What came back. */
export interface Answer {
  readonly step: Step;
  readonly status: number;
  readonly text: string;
}

/** What a request is sent by. */
type Caller = Pick<InProcessMock, "fetch" | "baseUrl" | "depositBaseUrl" | "apiKey">;

/** Makes the request of a step. */
export async function take(mock: Caller, step: Step): Promise<Answer> {
  const response = "call" in step ? await send(mock, step.call) : await control(mock, step.control);
  return { step, status: response.status, text: await response.text() };
}

function control({ fetch, baseUrl, apiKey }: Caller, { target, body }: ControlStep): Promise<Response> {
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  return fetch(`${baseUrl}/__mock${target}`, { method: "POST", headers, body: JSON.stringify(body) });
}

/** A step as a command of a shell, in which `$URL`, `$DEPOSIT_URL` and `$KEY` stand for the mock and its key. */
export function curlOf(step: Step): string {
  if ("control" in step) {
    const { target, body } = step.control;
    return command("POST", `$URL/__mock${target}`, json(body));
  }
  const { call } = step;
  const base = call.operation.address === "base_url" ? "$URL" : "$DEPOSIT_URL";
  const form = Object.keys(call.body ?? {}).map((name) => `-F ${quoted(`${name}=@picture.png`)}`);
  const body = call.body === undefined ? [] : hasForm(call.operation) ? form : json(call.body);
  return command(call.operation.method, `${base}${targetOf(call)}`, body);
}

function command(method: string, url: string, body: readonly string[]): string {
  const isPlain = method === "GET" && body.length === 0;
  return ["curl", ...(isPlain ? [] : [`-X ${method}`]), `"${url}"`, '-H "x-api-key: $KEY"', ...body].join(" ");
}

function json(body: object): string[] {
  return ['-H "content-type: application/json"', `-d ${quoted(JSON.stringify(body))}`];
}

/** A word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
