import { checkHandlerOptions } from "./check-options.ts";
import { createMemoryStore } from "./dedupe/memory.ts";
import type { DedupeStore } from "./dedupe/store.ts";
import type { UntypedOptions } from "./options.ts";
import { normalizeBasePath } from "./routes.ts";
import type { WebhookTable } from "./table.ts";
import { createTokenCheck } from "./token.ts";

/** Checked, and with defaults. The options are copied, except that `on`, the store and the inbox are the caller's objects. */
export interface HandlerConfig extends UntypedOptions {
  readonly table: WebhookTable;
  readonly paths: Readonly<Record<string, string | undefined>>;
  readonly keys: NonNullable<UntypedOptions["keys"]>;
  readonly health: string | false;
  /** `basePath` without a slash at its end. */
  readonly prefix: string;
  readonly dedupe: DedupeStore | false;
  readonly maxBytes: number;
  readonly bodyTimeoutMs: number;
  readonly handlerTimeoutMs: number;
  readonly isAuthorized: (header: string | null) => Promise<boolean>;
}

export function toConfig(table: WebhookTable, healthPath: string | undefined, options: object): HandlerConfig {
  const handlerOptions = { ...options } as UntypedOptions;
  const health = handlerOptions.health ?? healthPath ?? false;
  checkHandlerOptions(table, health, handlerOptions);
  const {
    inbox,
    dedupe = inbox === undefined && createMemoryStore(),
    maxBytes = 1024 * 1024,
    bodyTimeoutMs = 30_000,
    handlerTimeoutMs = 300_000,
    basePath = "",
  } = handlerOptions;
  return {
    ...handlerOptions,
    table,
    prefix: normalizeBasePath(basePath),
    health,
    dedupe,
    maxBytes,
    bodyTimeoutMs,
    handlerTimeoutMs,
    paths: { ...handlerOptions.paths },
    keys: { ...handlerOptions.keys },
    isAuthorized: createTokenCheck(handlerOptions.authorization),
  };
}
