import { projectRoot } from "../../scripts/contract/model/index.ts";

/** Begins a program that opens a path with `createSqliteStore`: on Node 20, which has no `node:sqlite`, libsql takes its place. */
export const sqliteBanner: { js: string } = {
  js: `import { createRequire as requireFor } from "node:module";
const builtins = process.getBuiltinModule;
if (!builtins("node:sqlite")) {
  const DatabaseSync = requireFor(${JSON.stringify(`${projectRoot}/package.json`)})("libsql");
  process.getBuiltinModule = (name) => (name === "node:sqlite" ? { DatabaseSync } : builtins(name));
}`,
};
