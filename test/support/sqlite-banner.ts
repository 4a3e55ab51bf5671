import { projectRoot } from "../../scripts/base/index.ts";

/** The first lines of a program that uses `createSqliteStore`. They replace `node:sqlite`, which Node 20 lacks, by libsql. */
export const sqliteBanner: { js: string } = {
  js: `import { createRequire as requireFor } from "node:module";
const builtins = process.getBuiltinModule;
if (!builtins("node:sqlite")) {
  const DatabaseSync = requireFor(${JSON.stringify(`${projectRoot}/package.json`)})("libsql");
  process.getBuiltinModule = (name) => (name === "node:sqlite" ? { DatabaseSync } : builtins(name));
}`,
};
