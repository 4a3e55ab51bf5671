import { checkNames } from "../base/check-names.ts";
import { isObject } from "../base/is-object.ts";
import { checkStore } from "./dedupe/store.ts";
import type { UntypedOptions } from "./options.ts";
import { checkPaths, checkUrlPath, normalizeBasePath } from "./routes.ts";
import type { WebhookTable } from "./table.ts";

const functionOptions = ["unknown", "waitUntil", "onError", "onDeviation", "onRefused"] as const;

const limits = [
  ["maxBytes", "bytes"],
  ["bodyTimeoutMs", "milliseconds"],
  ["handlerTimeoutMs", "milliseconds"],
] as const;

const optionNames: readonly (keyof UntypedOptions)[] = [
  ...([
    "authorization",
    "on",
    "otherwise",
    "nonconforming",
    "paths",
    "health",
    "dedupe",
    "inbox",
    "keys",
    "acknowledge",
  ] as const),
  ...limits.map(([name]) => name),
  "basePath",
  ...functionOptions,
];

/** All options except `authorization`, which `createTokenCheck` checks. */
export function checkHandlerOptions(table: WebhookTable, health: string | false, options: UntypedOptions): void {
  const { on, paths = {}, keys = {}, otherwise, nonconforming, dedupe, inbox, acknowledge, basePath = "" } = options;
  checkNames("option", options, optionNames, hintFor);
  for (const name of functionOptions) {
    demand(options[name] === undefined || isFunction(options[name]), `${name} must be a function, or left out`);
  }
  demand(isObject(on), "on must be an object with a function for each webhook to handle");
  const webhooks = Object.keys(table);
  checkNames("webhook", on, webhooks);
  for (const [name, action] of Object.entries(on)) {
    demand(action === undefined || isFunction(action), `on.${name} must be a function, or left out`);
  }
  demand(isObject(paths), 'paths must be an object with paths by the name of the webhook, { sepaDeposit: "/my/path" }');
  demand(isObject(keys), "keys must be an object, { sepaDeposit: (event) => event.id }");
  checkNames("webhook", keys, webhooks);
  for (const [name, key] of Object.entries(keys)) {
    demand(
      key === undefined || key === "body-hash" || isFunction(key),
      `keys.${name} must be a function or "body-hash"`,
    );
  }
  if (health !== false) checkUrlPath("health", health);
  checkPaths(table, paths, health === false ? {} : { [health]: "health" });
  demand(
    otherwise === "acknowledge" || otherwise === "reject" || isFunction(otherwise),
    'otherwise must be "acknowledge", "reject" or a function',
  );
  demand(nonconforming === "reject" || isFunction(nonconforming), 'nonconforming must be "reject" or a function');
  if (dedupe !== undefined && dedupe !== false) checkStore(dedupe);
  demand(
    inbox === undefined || isFunction(inbox?.take),
    "inbox must be createPostgresInbox(pool) or createSqliteInbox(database), or left out",
  );
  demand(inbox === undefined || dedupe === undefined, "inbox takes the place of dedupe: leave one of them out");
  demand(
    inbox === undefined || acknowledge !== "first",
    'inbox acknowledges after the commit: leave out acknowledge: "first"',
  );
  demand([undefined, "after", "first"].includes(acknowledge), 'acknowledge must be "after" or "first"');
  demand(
    acknowledge !== "first" || options.waitUntil !== undefined || !endsWorkAfterResponse(),
    'acknowledge: "first" needs waitUntil on this platform',
  );
  for (const [name, unit] of limits) {
    const limit = options[name];
    const isLimit = limit === undefined || limit === Infinity || (Number.isSafeInteger(limit) && limit > 0);
    demand(isLimit, `${name} must be a whole number of ${unit} above 0, or Infinity`);
  }
  if (normalizeBasePath(basePath) !== "") checkUrlPath("basePath", normalizeBasePath(basePath));
}

function hintFor(name: string): string {
  const isSecret = /secret|sign|hmac|token|key/i.test(name);
  return isSecret ? " The token of the service is given as authorization; no signature of its calls is known." : "";
}

function demand(condition: boolean, message: string): void {
  if (!condition) throw new TypeError(`${message}.`);
}

/** Cloudflare Workers ends unfinished work after a response, unless the work is passed to `waitUntil`. */
function endsWorkAfterResponse(): boolean {
  return (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent === "Cloudflare-Workers";
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}
