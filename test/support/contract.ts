import type { Edition } from "../../scripts/base/index.ts";
import {
  type Bundle,
  type BundledContract,
  bundleContract,
  serializeBundle,
} from "../../scripts/contract/bundle/index.ts";
import { type Contract, type OpenApiDocument, readContract } from "../../scripts/contract/model/index.ts";
import { Sources } from "../../scripts/contract/sources/index.ts";

/** All test files of a worker process use these objects. Tests must not modify them. */
export const sources = new Sources();

const contractPromises = new Map<Edition, Promise<BundledContract>>();

/** Frozen. */
export function bundledContractOf(edition: Edition): Promise<BundledContract> {
  const contractPromise = contractPromises.get(edition) ?? bundleContract(edition, sources).then(freeze);
  contractPromises.set(edition, contractPromise);
  return contractPromise;
}

/** The document is frozen. {@link copyOf} returns one that a test can modify. */
export async function documentOf(edition: Edition): Promise<OpenApiDocument> {
  return (await bundledContractOf(edition)).document;
}

export async function copyOf(edition: Edition): Promise<OpenApiDocument> {
  return structuredClone(await documentOf(edition));
}

export async function contractOf(edition: Edition): Promise<Contract> {
  return readContract(await documentOf(edition), sources.registers());
}

let bundlesPromise: Promise<Record<Edition, Bundle>> | undefined;

/** The bundles are frozen, because all test files of a worker process use them. */
export function bundles(): Promise<Record<Edition, Bundle>> {
  bundlesPromise ??= makeBundles();
  return bundlesPromise;
}

async function makeBundles(): Promise<Record<Edition, Bundle>> {
  const bundleOf = async (edition: Edition) => serializeBundle(await bundledContractOf(edition), sources);
  return freeze({ latest: await bundleOf("latest"), test: await bundleOf("test") });
}

function freeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}
