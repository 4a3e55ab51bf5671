import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { Ajv } from "ajv";
import { expect, it } from "vitest";
import { projectRoot } from "../../../scripts/base/index.ts";

type Node = Record<string, unknown>;

const read = (path: string) => readFileSync(`${projectRoot}/${path}`, "utf8");
const { scripts } = JSON.parse(read("package.json"));
const workflows = readdirSync(`${projectRoot}/.github/workflows`).map((name) => `.github/workflows/${name}`);

// JSON Schemas that permit only the keys that the workflows use.
const text = { type: "string" };
const list = { type: "array", items: text, minItems: 1 };
const closedObject = (properties: Node, required: string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const mapOf = (additionalProperties: Node) => ({ type: "object", additionalProperties });

const grants = closedObject({ contents: { enum: ["read", "write"] }, "id-token": { const: "write" } });
const inputs = { "fetch-depth": { const: 0 }, "node-version": text, cache: { const: "npm" }, name: text, path: text };
const step = {
  ...closedObject({ name: text, run: text, uses: text, with: closedObject(inputs) }),
  oneOf: [{ required: ["run"] }, { required: ["uses"] }],
};
const job = closedObject(
  {
    "runs-on": { const: "ubuntu-24.04" },
    "timeout-minutes": { type: "integer" },
    environment: text,
    strategy: closedObject({ "fail-fast": { type: "boolean" }, matrix: mapOf(list) }, ["matrix"]),
    permissions: grants,
    needs: list,
    steps: { type: "array", items: step, minItems: 1 },
  },
  ["runs-on", "timeout-minutes", "steps"],
);
// A newer commit must not cancel a run on main, because releases and bisections need the result.
// biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub.
const unlessMain = { const: "${{ github.ref != 'refs/heads/main' }}" };
const githubWorkflow = closedObject(
  {
    name: text,
    on: closedObject({
      push: closedObject({ branches: list, tags: list }),
      pull_request: { type: "null" },
      workflow_dispatch: { type: "null" },
      schedule: { type: "array", items: closedObject({ cron: text }) },
    }),
    permissions: grants,
    concurrency: closedObject({ group: text, "cancel-in-progress": unlessMain }, ["group"]),
    jobs: mapOf(job),
  },
  ["name", "on", "permissions", "jobs"],
);
const gitlabPipeline = {
  type: "object",
  properties: {
    default: closedObject({ image: text, cache: closedObject({ key: closedObject({ files: list }), paths: list }) }),
    variables: mapOf({ type: ["string", "integer"] }),
    stages: { const: ["test", "pack", "publish"] },
  },
  required: ["stages"],
  additionalProperties: closedObject(
    {
      stage: { enum: ["test", "pack", "publish"] },
      script: list,
      image: text,
      needs: list,
      timeout: { type: "string", pattern: "^\\d+ minutes$" },
      rules: { type: "array", items: closedObject({ if: text }, ["if"]) },
      parallel: closedObject({ matrix: { type: "array", items: mapOf(list) } }, ["matrix"]),
      id_tokens: mapOf(closedObject({ aud: text }, ["aud"])),
      artifacts: closedObject({ paths: list, exclude: list }, ["paths"]),
    },
    ["stage", "script"],
  ),
};

function* problems(source: string): Generator<string> {
  const document = parseYaml(source) as Node;
  const isGithub = document.stages === undefined;
  const ajv = new Ajv({ allErrors: true, strictTypes: false, strictRequired: false });
  const isValid = ajv.validate(isGithub ? githubWorkflow : gitlabPipeline, document);
  for (const { instancePath, message, params } of (isValid ? [] : ajv.errors) ?? [])
    yield `${instancePath} ${message}${params.additionalProperty ? `: ${params.additionalProperty}` : ""}`;
  // Actions are pinned by commit, because a tag can be moved. Dependabot reads the version in the comment.
  for (const [, action] of source.matchAll(/uses: (.*)/g))
    if (!/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action as string)) yield `${action} is not pinned`;
  const { stages: _, default: __, variables: ___, ...gitlabJobs } = document;
  const jobs = Object.entries((isGithub ? document.jobs : gitlabJobs) as Record<string, Node>);
  const commandsByJob = jobs.map(([, job]) =>
    (isGithub ? (job.steps as Node[]).map(({ run = "" }) => run) : [[job.script].flat().join("\n")]).map(String),
  );
  yield* commandProblems(commandsByJob.flat());
  for (const [, job] of jobs) {
    for (const neededJob of (job.needs ?? []) as string[])
      if (!jobs.some(([name]) => name === neededJob)) yield `needs ${neededJob}`;
    const { matrix = {} } = (job.strategy ?? {}) as { matrix?: object };
    for (const [, name = ""] of JSON.stringify(job).matchAll(/\{\{ matrix\.(\w+)/g))
      if (!(name in matrix)) yield `matrix.${name}`;
  }
}

function* commandProblems(commands: readonly string[]): Generator<string> {
  // One shell starts the others, because Node.js takes longer to start a process.
  const checkEach = 'for command; do printf %s "$command" | bash -n; done';
  const { status, stderr } = spawnSync("bash", ["-c", checkEach, "bash", ...commands], { encoding: "utf8" });
  if (stderr !== "" || status === null) yield `the shell: ${stderr}`;
  const command = commands.join("\n");
  for (const [, name = ""] of command.matchAll(/npm run ([\w:-]+)/g)) if (!(name in scripts)) yield `npm run ${name}`;
  for (const [path] of command.matchAll(/\.ci\/[\w-]+/g)) if (!existsSync(`${projectRoot}/${path}`)) yield path;
}

it.each([...workflows, ".gitlab-ci.yml"])("%s is valid", (path) => {
  expect([...problems(read(path))]).toEqual([]);
});

it("the workflows test every supported version of Node.js", () => {
  const versions = ["20.19", "22", "24", "26"];
  expect(parseYaml(read(".github/workflows/ci.yml"))).toMatchObject({
    jobs: { test: { strategy: { matrix: { node: versions } } } },
  });
  expect(parseYaml(read(".gitlab-ci.yml"))).toMatchObject({ test: { parallel: { matrix: [{ NODE: versions }] } } });
});

it("a job with a right to write or to publish runs no code of a dependency", () => {
  const { jobs } = parseYaml(read(".github/workflows/release.yml")) as { jobs: Record<string, Node> };
  const trustedJobs = Object.values(jobs).filter(({ permissions = {} }) => /write/.test(JSON.stringify(permissions)));
  expect(trustedJobs.length).toBe(2);
  expect(JSON.stringify(trustedJobs)).not.toMatch(/npm (ci|run|test|install)|npx|\.ci\/run/);
});
