/** Prism, as a library: its reading of a document, and its two uses. It never sees a connection. */
import { createLogger } from "@stoplight/prism-core";
import { createInstance, getHttpOperationsFromSpec } from "@stoplight/prism-http";
import type { OpenApiDocument } from "../contract/index.ts";

export type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];
type PrismInstance = ReturnType<typeof createInstance>;
type PrismInput = Parameters<PrismInstance["request"]>[0];
type PrismResult = Awaited<ReturnType<ReturnType<PrismInstance["request"]>>>;
type PrismOutput = Extract<PrismResult, { _tag: "Right" }>["right"];
export type Diagnostic = PrismOutput["validations"]["input"][number];

/** An operation by its method and path template. */
interface Named {
  readonly operationId: string;
  /** In any case. */
  readonly method: string;
  readonly path: string;
}

/** A documented answer, by what Prism chooses it with. */
interface Chosen {
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly example: string | undefined;
}

/** What Prism answers. */
export interface PrismAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export interface Prism {
  /** @throws {Error} when the document has no such operation. */
  find(operation: Named): PrismOperation;
  /** What Prism finds wrong with a request. */
  diagnose(operation: PrismOperation, input: PrismInput): Promise<Diagnostic[]>;
  produce(operation: Named, answer: Chosen): Promise<PrismAnswer>;
}

/**
 * Loads a document into Prism. The document is not changed.
 *
 * @throws when it is not an OpenAPI document, or has a reference that does not resolve.
 */
export async function loadPrism(document: OpenApiDocument): Promise<Prism> {
  // Prism resolves references in place.
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  const logger = createLogger("mock", { level: "silent" });
  const validator = createInstance(configure({ validate: true }), {
    logger,
    // Only the diagnostics are used: Prism's own answers to an invalid request are not those of the contract.
    mock: () => () => ({ _tag: "Right", right: { statusCode: 200 } }),
  });
  const negotiator = createInstance(configure({ validate: false }), { logger });
  const find = ({ operationId, method, path }: Named): PrismOperation => {
    const found = operations.find((one) => one.method === method.toLowerCase() && one.path === path);
    if (found === undefined) throw new Error(`Prism does not have ${operationId}.`);
    return found;
  };
  return {
    find,
    async diagnose(operation, input) {
      return unwrap(await validator.request(input, [operation])()).validations.input;
    },
    async produce(operation, chosen) {
      const found = find(operation);
      const input = { method: found.method as PrismInput["method"], url: { path: operation.path } };
      const { output } = unwrap(await negotiator.request(input, [found], configure({ validate: false, chosen }))());
      return { status: output.statusCode, headers: output.headers ?? {}, body: output.body };
    },
  };
}

function configure({ validate, chosen }: { validate: boolean; chosen?: Chosen }) {
  return {
    isProxy: false as const,
    checkSecurity: validate,
    validateRequest: validate,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    mock: { dynamic: false, ...(chosen === undefined ? {} : choiceOf(chosen)) },
  };
}

function choiceOf({ status, mediaType, example }: Chosen) {
  return {
    code: status,
    ...(mediaType === undefined ? {} : { mediaTypes: [mediaType] }),
    ...(example === undefined ? {} : { exampleKey: example }),
  };
}

function unwrap(result: PrismResult): PrismOutput {
  if (result._tag === "Left") throw result.left;
  return result.right;
}
