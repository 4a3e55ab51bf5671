/** The same receiver made in several ways: `receive(path, body)` returns the valid event, or undefined. */
import type { Webhook } from "../contract/contract.ts";
import { made } from "./peers.ts";

export const receiverNames = ["partner-wallet-api", "JSON.parse alone", "ajv", "zod", "zod without eval"] as const;
export type ReceiverName = (typeof receiverNames)[number];

/** The programs. Those of Ajv and zod are what a partner would write around schemas that a tool derived from the contract. */
export function webhookPrograms(webhooks: readonly Webhook[]): Record<ReceiverName, string> {
  const zod = zodProgram(webhooks);
  return {
    "partner-wallet-api": `import { parseWebhook } from "partner-wallet-api/webhooks";
export function receive(path: string, body: string) {
  const parsed = parseWebhook(path, body);
  return parsed.ok ? parsed.event : undefined;
}`,
    "JSON.parse alone": "export const receive = (_path: string, body: string) => JSON.parse(body);",
    ajv: ajvProgram(webhooks),
    zod,
    "zod without eval": `import "./zod-without-eval.ts";\n${zod}`,
  };
}

/** What the program of zod without eval imports first: workers on the edge forbid that code is made at run time. */
export const zodWithoutEval = `import { config } from "zod";\nconfig({ jitless: true });\n`;

function ajvProgram(webhooks: readonly Webhook[]): string {
  const validators = webhooks.map(({ path, name }) => {
    const pointer = `contract#/webhooks/${name}/post/requestBody/content/application~1json/schema`;
    return `  ${JSON.stringify(path)}: ajv.compile({ $ref: ${JSON.stringify(pointer)} }),`;
  });
  return `import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import contract from "./${made.webhookDocument}";
const ajv = new Ajv2020({ strict: false });
(addFormats as any)(ajv);
ajv.addSchema(contract, "contract");
const validators: Record<string, any> = {
${validators.join("\n")}
};
export function receive(path: string, body: string) {
  const event = JSON.parse(body);
  return validators[path](event) ? event : undefined;
}`;
}

function zodProgram(webhooks: readonly Webhook[]): string {
  const schemas = webhooks.map(({ path, name }) => {
    const schema = `zPost${name.charAt(0).toUpperCase()}${name.slice(1)}WebhookRequest`;
    return `  ${JSON.stringify(path)}: schemas.${schema}.shape.body,`;
  });
  return `import * as schemas from "./${made.zod}";
const validators: Record<string, any> = {
${schemas.join("\n")}
};
export function receive(path: string, body: string) {
  const result = validators[path].safeParse(JSON.parse(body));
  return result.success ? result.data : undefined;
}`;
}
