/** Frameworks in which a partner's backend is built that uses the packed package. */
import { join } from "node:path";
import { projectRoot } from "../contract/index.ts";
import { run, withServer } from "./processes.ts";
import { ofProject, versions } from "./versions.ts";
import { type Environment, visitBackend, type Workplace } from "./workplace.ts";

const hono = ["hono", "@hono/node-server"].map(ofProject);

export const frameworks: readonly Environment[] = [
  { name: "hono", packages: [...hono, ofProject("@types/node")], check: runOnHono },
  {
    name: "nest",
    packages: [
      ...["common", "core", "platform-express"].map((name) => `@nestjs/${name}@${versions.nest}`),
      `reflect-metadata@${versions.reflectMetadata}`,
      `rxjs@${versions.rxjs}`,
      ofProject("@types/express"),
      ofProject("@types/node"),
    ],
    check: runOnNest,
  },
  {
    name: "next",
    packages: [`next@${versions.next}`, `react@${versions.react}`, `react-dom@${versions.react}`],
    check: runOnNext,
  },
];

/** The port in what a server prints when it listens. */
const port = /127\.0\.0\.1:(\d+)/;

/** Builds a service on Hono with TypeScript: it calls the service and receives webhooks. */
async function runOnHono(workplace: Workplace): Promise<string> {
  const { project, env } = workplace;
  await compile(project, "hono");
  await withServer(process.execPath, ["hono/dist/index.mjs"], { cwd: project, env, port }, (origin) =>
    visitBackend(workplace, origin, ["/hooks"]),
  );
  return `calls and webhooks of a backend on ${hono[0]}`;
}

/** Builds a NestJS application with the compiler options of `nest new`, injects a client, and receives webhooks. */
async function runOnNest(workplace: Workplace): Promise<string> {
  const { project, env } = workplace;
  await compile(project, "nest");
  await withServer(process.execPath, ["nest/dist/main.js"], { cwd: project, env, port }, (origin) =>
    visitBackend(workplace, origin, ["/middleware", "/controller"]),
  );
  return `calls of an injected client and webhooks (middleware, controller) on NestJS ${versions.nest}, CommonJS`;
}

/** Compiles an example project with the TypeScript of this project. */
async function compile(project: string, folder: string): Promise<void> {
  await run(join(projectRoot, "node_modules/.bin/tsc"), ["--project", folder], { cwd: project });
}

/** Calls the service and receives webhooks in route handlers of a production build. */
async function runOnNext(workplace: Workplace): Promise<string> {
  const { project, env } = workplace;
  await run("next", ["build", "next"], { cwd: project, env });
  const args = ["start", "next", "--port", "0", "--hostname", "127.0.0.1"];
  await withServer("next", args, { cwd: project, env, port }, (origin) => visitBackend(workplace, origin));
  return `calls and webhooks in route handlers of Next.js ${versions.next}`;
}
