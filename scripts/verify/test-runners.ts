/** Test runners in which a partner tests a program that uses the packed package. */
import { run } from "./processes.ts";
import { ofProject, versions } from "./versions.ts";
import type { Environment, Workplace } from "./workplace.ts";

export const testRunners: readonly Environment[] = [
  jest("29", versions.jest29, "29.5.14"),
  jest("30", versions.jest30, "30.0.0"),
];

/** Tests in CommonJS without any configuration, and tests in TypeScript with ts-jest. */
function jest(major: string, version: string, types: string): Environment {
  return {
    name: `jest ${major}`,
    packages: [
      `jest@${version}`,
      `@types/jest@${types}`,
      `ts-jest@${versions.tsJest}`,
      ofProject("typescript"),
      ofProject("@types/node"),
    ],
    check: async ({ project, env }: Workplace) => {
      await run("jest", ["--rootDir", "jest/plain"], { cwd: project, env });
      await run("jest", ["--config", "jest/typed/jest.config.js"], { cwd: project, env });
      return `tests in CommonJS without configuration on Jest ${version}, in TypeScript with ts-jest ${versions.tsJest}`;
    },
  };
}
