import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const projectRoot: string = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");

/** Whether the packages were installed by pnpm. Their dependencies can then be found only from the real path of their folders. */
export function usesPnpm(): boolean {
  return existsSync(`${projectRoot}/node_modules/.pnpm`);
}

export const contractFile: string = `${projectRoot}/openapi/openapi.yaml`;

/** `latest` has no proposed operations; `test` has all operations. */
export const editions = ["latest", "test"] as const;
export type Edition = (typeof editions)[number];

export const generatedFolder: string = `${projectRoot}/generated`;

export function editionFolder(edition: Edition): string {
  return `${generatedFolder}/${edition}`;
}

export const docsFolder: string = `${generatedFolder}/docs`;

export const planFile: string = `${projectRoot}/generated/mock/plan.js`;

export function bundleFile(edition: Edition, format: "yaml" | "json"): string {
  return `${editionFolder(edition)}/openapi.${format}`;
}
