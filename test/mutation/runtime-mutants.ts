/** Mutants of the code that runs at partners: one operator, constant or condition of the client or the mock changed. */
import { readdirSync, readFileSync } from "node:fs";
import { projectRoot } from "../../scripts/contract/index.ts";
import type { Mutant } from "./mutant.ts";

/** What is mutated, with the tests that have to notice it. */
const areas = [
  { folder: "scripts/client/runtime", witnesses: ["test/client", "test/packed"] },
  { folder: "scripts/mock", witnesses: ["test/mock", "test/scenario"] },
];

/** Each operator with what a slip would leave. */
const slips: [RegExp, string][] = [
  [/ === /g, " !== "],
  [/ !== /g, " === "],
  [/ && /g, " || "],
  [/ \|\| /g, " && "],
  [/ < /g, " <= "],
  [/ > /g, " >= "],
  [/ <= /g, " < "],
  [/ >= /g, " > "],
  [/ \+ 1\b/g, " - 1"],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
  [/ \?\? /g, " && "],
  [/\bawait /g, ""],
  [/\.some\(/g, ".every("],
  [/\.every\(/g, ".some("],
];

/** Lines on which no slip changes what the code does: comments, imports, types and texts. */
const withoutCode =
  /^\s*(\/\/|\/?\*|import |export \{|export type|type |interface |readonly |[`"'])|=> (void|boolean|string)|^\s*\w+\??: [\w| ]+;$/;

/** Every mutant of the code, in the order of the files. */
export function runtimeMutants(): Mutant[] {
  return areas.flatMap(({ folder, witnesses }, area) =>
    readdirSync(`${projectRoot}/${folder}`, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
      .sort()
      .flatMap((name) => mutantsOf(`${folder}/${name}`))
      .map((mutant) => ({ ...mutant, half: area === 0, witnesses })),
  );
}

function mutantsOf(path: string): Omit<Mutant, "half" | "witnesses">[] {
  const lines = readFileSync(`${projectRoot}/${path}`, "utf8").split("\n");
  return lines.flatMap((line, index) => {
    if (withoutCode.test(line)) return [];
    return slips.flatMap(([find, put]) =>
      [...line.matchAll(find)].map(({ 0: found, index: at }) => {
        const changed = line.slice(0, at) + put + line.slice(at + found.length);
        const text = lines.with(index, changed).join("\n");
        return {
          path,
          text,
          key: `${path} ${found}`,
          change: `${path}:${index + 1} \`${found.trim()}\` is \`${put.trim()}\``,
        };
      }),
    );
  });
}
