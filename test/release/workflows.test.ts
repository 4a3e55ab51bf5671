/** The workflows of GitHub and GitLab: their keys, and that what they run and refer to is there. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/index.ts";

type Node = Record<string, unknown>;

const read = (path: string) => readFileSync(`${projectRoot}/${path}`, "utf8");
const { scripts } = JSON.parse(read("package.json"));
const workflows = readdirSync(`${projectRoot}/.github/workflows`).map((name) => `.github/workflows/${name}`);

/** Required keys, and the others that this repository uses; whatever else stands there is a mistake. */
const keys = {
  workflow: [["name", "on", "permissions", "jobs"], ["concurrency"]],
  job: [
    ["runs-on", "timeout-minutes", "steps"],
    ["environment", "permissions", "strategy", "needs"],
  ],
  step: [[], ["name", "uses", "with", "run", "env"]],
  gitlab: [
    ["stage", "script"],
    ["image", "timeout", "needs", "rules", "parallel", "id_tokens", "artifacts"],
  ],
};

function* keyProblems(kind: keyof typeof keys, node: Node): Generator<string> {
  const [required = [], others = []] = keys[kind];
  for (const key of required) if (!(key in node)) yield `${kind} without ${key}`;
  for (const key of Object.keys(node)) if (![...required, ...others].includes(key)) yield `${kind} with ${key}`;
}

function* problems(text: string): Generator<string> {
  const { stages, default: _, variables, ...content } = parseYaml(text) as Node;
  const jobs = Object.entries((stages === undefined ? content.jobs : content) as Record<string, Node>);
  if (stages === undefined) yield* keyProblems("workflow", content);
  for (const [, job] of jobs) {
    yield* keyProblems(stages === undefined ? "job" : "gitlab", job);
    const steps = (job.steps ?? [{ run: [job.script].flat().join("\n") }]) as Node[];
    for (const step of steps) {
      yield* keyProblems("step", step);
      // By its commit: a tag can be moved.
      if (step.uses !== undefined && !/^[\w/-]+@[0-9a-f]{40}$/.test(String(step.uses)))
        yield `${step.uses} is not pinned`;
      yield* commandProblems(String(step.run ?? ""));
    }
    for (const need of (job.needs ?? []) as string[]) if (!jobs.some(([name]) => name === need)) yield `needs ${need}`;
    const { matrix = {} } = (job.strategy ?? {}) as { matrix?: object };
    for (const [, name = ""] of JSON.stringify(steps).matchAll(/\{\{ matrix\.(\w+)/g))
      if (!(name in matrix)) yield `matrix.${name}`;
  }
}

function* commandProblems(command: string): Generator<string> {
  const { stderr } = spawnSync("bash", ["-n"], { input: command, encoding: "utf8" });
  if (stderr !== "") yield stderr;
  for (const [, name = ""] of command.matchAll(/npm run ([\w:-]+)/g)) if (!(name in scripts)) yield `npm run ${name}`;
  for (const [path] of command.matchAll(/\.ci\/\w+/g)) if (!existsSync(`${projectRoot}/${path}`)) yield path;
}

it.each([...workflows, ".gitlab-ci.yml"])("%s is right", (path) => {
  expect([...problems(read(path))]).toEqual([]);
});

describe("a mistake is found", () => {
  const release = read(".github/workflows/release.yml");
  it.each([
    ["an action that is not pinned", /@11bd\w+/, "@v4", "actions/checkout@v4 is not pinned"],
    ["a misspelt key", "runs-on:", "run-on:", "job without runs-on"],
    ["a script that nothing has", "npm run release", "npm run relase", "npm run relase"],
    ["a file that is not there", ".ci/pages", ".ci/page", ".ci/page"],
    ["a shell script that does not parse", "run: bash .ci/run", "run: if bash .ci/run", "syntax error"],
    ["no permissions", /permissions:\n {2}contents: read\n/, "", "workflow without permissions"],
    ["a matrix that is not there", 'node-version: "24"', `node-version: \${{ matrix.node }}`, "matrix.node"],
  ] as const)("%s", (_, find, put, problem) => {
    expect([...problems(release.replace(find, put))].join("\n")).toContain(problem);
  });
});

it("test every supported version of Node.js", () => {
  const versions = ["20.19", "22", "24", "26"];
  expect(parseYaml(read(".github/workflows/ci.yml"))).toMatchObject({
    jobs: { test: { strategy: { matrix: { node: versions } } } },
  });
  expect(parseYaml(read(".gitlab-ci.yml"))).toMatchObject({ test: { parallel: { matrix: [{ NODE: versions }] } } });
});
