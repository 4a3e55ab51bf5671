import { UsageError } from "../../base/index.ts";
import { readJson } from "../../mock/request/index.ts";
import { exampleKey } from "../../mock/server/index.ts";
import { connectionProblem } from "../../mock/webhooks/index.ts";
import { ArgumentError, type Arguments, type Option } from "../kit/arguments.ts";

export const mockOptions: readonly Option[] = [
  { name: "url", value: "URL", text: "an address of the mock", defaultValue: "http://127.0.0.1:4010" },
  {
    name: "key",
    value: "KEY",
    text: "the API key whose users and records the command uses",
    defaultText: `the variable PARTNER_WALLET_API_KEY, or ${exampleKey}`,
  },
];

export const jsonOption: Option = {
  name: "json",
  text: "print the response as JSON, a list as one line for each item",
};

export async function callMock(
  { text, requiredText }: Arguments,
  path: string,
  method = "GET",
  body?: string,
): Promise<unknown> {
  // The URL may have a path, because a proxy can serve the mock below a path.
  const url = requiredText("url").replace(/\/+$/, "");
  if (!/^https?:\/\/[^?#]+$/.test(url) || !URL.canParse(url)) {
    throw new ArgumentError("--url takes a URL such as http://127.0.0.1:4010");
  }
  const key = text("key") ?? process.env.PARTNER_WALLET_API_KEY ?? exampleKey;
  if (!/^[\x21-\x7e]+$/.test(key)) throw new ArgumentError("The API key must be printable ASCII without blanks.");
  const headers = { "x-api-key": key, "content-type": "application/json" };
  let responseText: string;
  let response: Response;
  try {
    response = await fetch(`${url}${path}`, { method, headers, body: body ?? null, redirect: "manual" });
    responseText = await response.text();
  } catch (error) {
    throw new UsageError(problemOf(error as Error, url, method, path));
  }
  const { value } = readJson(responseText);
  if (response.ok && (value !== undefined || responseText === "")) return value;
  const { message } = (value ?? {}) as { message?: unknown };
  throw new UsageError(
    typeof message === "string"
      ? message
      : `The server at ${url} is not a mock: it responded with HTTP ${response.status}.`,
  );
}

function problemOf({ message, cause }: Error, url: string, method: string, path: string): string {
  const { code = "", message: reason = message } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  if (code === "ECONNREFUSED") {
    return `No mock answers at ${url}. Start one with "npx partner-wallet-api mock", or name another with --url.`;
  }
  const callText = `${method} ${path.replace(/\?.*/, "")} at ${url}`;
  if (code === "UND_ERR_HEADERS_TIMEOUT") {
    return `${callText} has no response after 5 minutes: perhaps a receiver of events does not respond. See the command logs.`;
  }
  return `${callText} failed: ${connectionProblem(code) ?? (code || reason)}. Check --url and the last output of the mock.`;
}
