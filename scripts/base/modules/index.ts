/** Not part of the index of `base`, because the parser is slow to load. */
import { parseSync } from "rolldown/utils";

/** @property originalName the name in the module `from` or, without it, in this module; can be `default` or `*`. */
export interface ModuleName {
  readonly name: string;
  readonly originalName: string;
  readonly from: string | undefined;
}

/** The names that a module imports and exports. @param text its TypeScript. @throws {Error} if the text cannot be parsed. */
export function readNames(path: string, text: string) {
  const { module, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const { staticImports, staticExports } = module;
  const imports = staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ localName, importName: { kind, name } }): ModuleName => {
      const originalName = name ?? (kind === "Default" ? "default" : "*");
      return { name: localName.value, originalName, from: moduleRequest.value };
    }),
  );
  const exports = staticExports
    .flatMap(({ entries }) => entries)
    .map(({ exportName, importName, localName, moduleRequest, isType }): ModuleName & { isType: boolean } => {
      const name = exportName.name ?? (exportName.kind === "Default" ? "default" : "*");
      return { name, originalName: importName.name ?? localName.name ?? "*", from: moduleRequest?.value, isType };
    });
  return { imports, exports };
}
