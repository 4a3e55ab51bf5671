import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { editions, projectRoot, readManifest } from "../../../scripts/base/index.ts";
import { replaceFolder } from "../../../scripts/tools/build/index.ts";
import { publishedManifest } from "../../../scripts/tools/build/package.ts";
import { makeDist } from "../../../scripts/tools/packaging/dist.ts";
import { emitDeclarations } from "../../../scripts/tools/packaging/emit-declarations.ts";

type WebhooksEntry = typeof import("partner-wallet-api/webhooks");

let folder: string;
let dist: string;
let files: Map<string, string>;

function readFiles(root: string): Map<string, string> {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.sort().map((path) => [relative(root, path), readFileSync(path, "utf8")]));
}

beforeAll(async () => {
  // Within the project, so that the client can import openapi-fetch.
  const cache = `${projectRoot}/node_modules/.cache`;
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "dist-test-"));
  dist = join(folder, "dist");
  replaceFolder(dist, await makeDist());
  files = readFiles(dist);
});
const requireModule = (path: string) => createRequire(join(dist, path))(join(dist, "cjs", path));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stringsIn = (value: unknown): string[] =>
  typeof value === "string" ? [value] : Object.values(value as object).flatMap(stringsIn);

const { main, types, bin, typesVersions, exports } = publishedManifest(readManifest());
/** Each entry point: its key in `exports`, and its path below `dist/` without extension. */
const entryPoints = Object.entries(exports as Record<string, string | { import: { default: string } }>).flatMap(
  ([subpath, target]) =>
    typeof target === "string" ? [] : [{ subpath, path: target.import.default.replace(/^\.\/dist\/|\.js$/g, "") }],
);

it("has no import statement in the texts of the command, which publint would take for an ES module", () => {
  const programs = [...files].filter(([path]) => path.endsWith(".cjs"));
  expect(programs).not.toEqual([]);
  for (const [path, text] of programs) {
    const importStatement = /(?:[\s;]|^)import(?:[\w,{}\s*]*from|\s*['"*{]|\.meta\b).{0,40}/m.exec(text)?.[0];
    expect({ path, importStatement }).toEqual({ path, importStatement: undefined });
  }
});

describe("package.json", () => {
  it("names each entry point for every tool", () => {
    const targets = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` });
    for (const { subpath, path } of entryPoints) {
      const conditions = { import: targets(`dist/${path}`), require: targets(`dist/cjs/${path}`) };
      // Compared as text, because the order matters: the first matching condition applies.
      expect(JSON.stringify(exports[subpath])).toBe(JSON.stringify(conditions));
      const { default: requiredModule, types: requiredTypes } = conditions.require;
      if (subpath === ".") expect({ main, types }).toEqual({ main: requiredModule, types: requiredTypes });
      else expect(typesVersions["*"][subpath.slice(2)]).toEqual([requiredTypes]);
    }
    const documents = Object.entries(exports).filter(([subpath]) => /^\.\/openapi.*\.json$/.test(subpath));
    for (const [subpath, target] of documents) expect(typesVersions["*"][subpath.slice(2)]).toEqual([target]);
    expect(documents).toHaveLength(editions.length * 2);
    for (const [subpath, target] of documents) {
      const { openapi } = JSON.parse(files.get(String(target).replace("./dist/", "")) ?? "");
      expect(openapi).toMatch(subpath.includes("3.0") ? /^3\.0\./ : /^3\.1\./);
    }
  });

  it("names only files that exist", () => {
    const targets = stringsIn([main, types, typesVersions, exports]);
    const compiledPaths = targets.filter((target) => target.startsWith("./dist/")).map((target) => target.slice(7));
    compiledPaths.push(...stringsIn(bin).map((target) => target.slice(5)));
    expect(compiledPaths.length).toBeGreaterThan(entryPoints.length * 4);
    expect(compiledPaths.filter((path) => !files.has(path))).toEqual([]);
    const otherTargets = targets.filter((target) => !target.startsWith("./dist/"));
    expect(otherTargets.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
  });

  it("has the entry points that tsconfig.json maps to their sources", () => {
    const { compilerOptions } = JSON.parse(readFileSync(`${projectRoot}/tsconfig.json`, "utf8"));
    const sources = Object.entries(readManifest().exports).filter(([, source]) => source.endsWith(".ts"));
    const paths = sources.map(([subpath, source]) => [`partner-wallet-api${subpath.slice(1)}`, [source]]);
    expect(compilerOptions.paths).toEqual(Object.fromEntries(paths));
  });
});

it("lists as published every file that a module imports or requires, and depends on openapi-fetch only", () => {
  const isPublished = (path: string) => files.has(path) && !/\/client\/types\.js$/.test(path);
  const specifiers = /^(?:import|export)\b[^"]* from "([^"]+)";$|\b(?:import|require)\("([^"]+)"\)/gm;
  const missingTargets = [...files]
    .filter(([path]) => /\.(js|d\.ts)$/.test(path))
    .flatMap(([path, text]) =>
      [...text.matchAll(specifiers)].flatMap(([, first, second]) => {
        const specifier = (first ?? second) as string;
        if (!specifier.startsWith(".")) return specifier === "openapi-fetch" ? [] : [`${path}: ${specifier}`];
        const target = join(dirname(path), specifier).replace(path.endsWith(".d.ts") ? /\.[jt]s$/ : /\.ts$/, ".d.ts");
        return isPublished(target) ? [] : [`${path}: ${specifier}`];
      }),
    );
  expect(missingTargets).toEqual([]);
});

it("is not generated for a module that imports an unpublished file", async () => {
  await expect(makeDist({ generated: {} })).rejects.toThrow(
    /^scripts\/client\/src\/\S+\.ts imports (\.\.\/)+generated\/client\/\S+\.ts, which is not published\. /,
  );
});

describe("CommonJS modules", () => {
  it("call the default export of openapi-fetch", () => {
    const { createPartnerClient }: typeof import("partner-wallet-api") = requireModule("client/index.js");
    const { createRawClient }: typeof import("partner-wallet-api/raw") = requireModule("raw/index.js");
    expect(createRawClient(createPartnerClient({ baseUrl: "http://127.0.0.1", apiKey: "any-key" }))).toHaveProperty(
      "GET",
    );
  });

  it("are the same files as the ES modules, in a folder with its own package type", () => {
    // The ES module of the mock only re-exports its CommonJS module.
    const paths = [...files.keys()].filter((path) => /\.js$/.test(path) && !/^(cjs\/)?mock\//.test(path));
    const commonJs = paths.filter((path) => /^cjs\/(?!_virtual\/)/.test(path));
    expect(commonJs.map((path) => path.slice(4))).toEqual(paths.filter((path) => !path.startsWith("cjs/")));
    expect(JSON.parse(files.get("cjs/package.json") as string)).toEqual({ type: "commonjs", sideEffects: false });
  });

  it("share with the ES modules which bodies a parser has parsed", async () => {
    const path = "webhooks/index.js";
    const { createWebhookHandler, exactNumbers, testEvent, webhookPaths }: WebhooksEntry = await import(
      join(dist, path)
    );
    const { toNodeListener }: WebhooksEntry = requireModule(path);
    const body = { ...testEvent("p2pTransfer"), amount: 1.1 };
    const results: unknown[] = [];
    const listener = toNodeListener(
      createWebhookHandler({
        authorization: { unverified: true },
        on: { p2pTransfer: (event) => void results.push(exactNumbers(event)) },
        otherwise: "reject",
        nonconforming: (_name, event) => void results.push(exactNumbers(event as object)),
        onError: (error) => results.push(`${error}`),
      }),
    );
    const server = createServer((request, response) => {
      request.resume().on("end", () => listener(Object.assign(request, { body }), response));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${webhookPaths.p2pTransfer}`;
    await fetch(url, { method: "POST", body: JSON.stringify(body), headers: { connection: "close" } });
    server.close();
    expect(results).toEqual([expect.stringContaining("exactNumbers needs")]);
  });

  it("have declarations beside them for both formats", () => {
    const declarationFiles = [...files].filter(([path]) => /^(?!cjs\/).*\.d\.ts$/.test(path));
    expect(declarationFiles.map(([path]) => path)).toEqual(entryPoints.map(({ path }) => `${path}.d.ts`).sort());
    expect(declarationFiles.filter(([, text]) => !/^export \* from "[./]+\/cjs\/[\w/]+\.js";\n$/.test(text))).toEqual(
      [],
    );
  });

  it("contain no ESM statement, and no import() that only ES modules could load", () => {
    const modules = [...files].filter(([path]) => /^cjs\/.*\.js$/.test(path));
    const mixedModules = modules.filter(([, text]) =>
      /^(import|export)\b|\bimport\(|\bimport\.meta\b/m.test(codeOf(text)),
    );
    expect(mixedModules.map(([path]) => path)).toEqual([]);
  });
});

function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

it("is identical after a rebuild, even when files were removed, changed or added", async () => {
  rmSync(join(dist, "client/index.d.ts"));
  rmSync(join(dist, "client/webhook-table.js"));
  rmSync(join(dist, "cjs/client/webhooks.js"));
  writeFileSync(join(dist, "cjs/client/index.js"), "changed");
  writeFileSync(join(dist, "client/runtime/removed.js"), "");
  writeFileSync(join(dist, "cjs/client/runtime/removed.js"), "");
  replaceFolder(dist, await makeDist());
  expect(readFiles(dist)).toEqual(files);
});

it("contains no absolute path, and no folder of the repository", () => {
  expect([...files].filter(([, text]) => text.includes(projectRoot)).map(([path]) => path)).toEqual([]);
  expect([...files.keys()].filter((path) => /scripts|generated/.test(path))).toEqual([]);
  // The mock contains source paths for stack traces.
  const texts = [...files].filter(([path]) => !path.endsWith(".cjs"));
  expect(texts.filter(([, text]) => /\b(scripts|generated)\/\w/.test(text)).map(([path]) => path)).toEqual([]);
});

describe("declarations", () => {
  it.each(["typescript", "typescript7"])("need no DOM types beside those of Node: %s", (compiler) => {
    const project = join(folder, compiler);
    mkdirSync(project);
    const compilerOptions = { lib: ["es2023"], types: ["node"], module: "nodenext", strict: true, skipLibCheck: false };
    const imports = entryPoints.map(({ path }, index) => `import * as entry${index} from "../dist/${path}.js";`);
    const names = imports.map((_, index) => `entry${index}`);
    writeFileSync(join(project, "all.mts"), `${imports.join("\n")}\nexport { ${names.join(", ")} };\n`);
    const config = { compilerOptions: { ...compilerOptions, noEmit: true }, files: ["all.mts"] };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(projectRoot, "node_modules", compiler, "bin/tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, "--project", project], { encoding: "utf8" });
    expect(stdout).toBe("");
  });

  it("are not generated from a source with an export without an explicit type", () => {
    const source = join(folder, "untyped.ts");
    const makeDeclarations = () => emitDeclarations(relative(projectRoot, source));
    writeFileSync(source, "export const sum: number = [1, 2].length;\n");
    expect(makeDeclarations()).toContain("export declare const sum: number;");
    writeFileSync(source, "export const sum = [1, 2].length;\n");
    expect(makeDeclarations).toThrow(/^This cannot be published:\n.*TS9010: .*untyped\.ts:1:14\]/s);
  });

  it.each([
    ["client/index", "createPartnerClient"],
    ["webhooks/index", "createWebhookHandler"],
    ["client/runtime/entries/events", "parseWebhook"],
    ["client/runtime/entries/events", "testEvent"],
  ])("%s document %s", (module, name) => {
    const text = files.get(`cjs/${module}.d.ts`);
    expect(text).toMatch(new RegExp(`\\n \\*/\\nexport declare function ${name}\\b`));
  });
});
