/** Mutants of the code that runs at partners: one operator, constant or condition of the client or the mock changed. */
import { readdirSync, readFileSync } from "node:fs";
import { projectRoot } from "../../scripts/contract/index.ts";
import { type Mutant, testsIn, type Witness } from "./mutant.ts";

/** What is mutated, with the tests that have to notice it: what is usually enough, all, and the slow ones that find what these do not. */
const areas = [
  {
    folder: "scripts/client/runtime",
    usual: ["test/packed/calls.test.ts", "test/packed/outcomes.test.ts"],
    tests: ["test/client", "test/packed"],
    slow: ["test/client/dedupe-model"],
  },
  {
    folder: "scripts/mock",
    usual: ["test/mock/control/control.test.ts", "test/mock/webhooks/deliveries.test.ts"],
    tests: ["test/mock", "test/scenario"],
    slow: ["command-process", "journal", "model", "fuzz", "validation"].map((name) => `test/mock/${name}`),
  },
];

const typeCheck: Witness = { name: "the type check", command: ["tsc", "--noEmit", "--project"], paths: ["."] };

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

/**
 * Every mutant of the code, in the order of the files, without those that equivalent.txt lists.
 *
 * @throws {Error} when the code has no mutant that equivalent.txt lists.
 */
export function runtimeMutants(): Mutant[] {
  const all = areas.flatMap(({ folder, usual, tests, slow }, area) => {
    const files = tests.flatMap((path) => filesIn(path).map((name) => ({ path: `${path}/${name}`, name })));
    const quick = files.filter(({ name }) => name.endsWith(".test.ts") && !name.includes(".slow."));
    return filesIn(folder)
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
      .flatMap((name) => {
        const near = testsNear(name, quick);
        const first = near.length === 0 ? usual : near;
        const witnesses = [testsIn(first), testsIn(tests), typeCheck, testsIn(slow, "slow")];
        return mutantsOf(`${folder}/${name}`).map((mutant) => ({ ...mutant, half: area === 0, witnesses }));
      });
  });
  const equivalent = readFileSync(new URL("./equivalent.txt", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("scripts/"));
  const unused = equivalent.filter((entry) => all.every(({ entry: own }) => own !== entry));
  if (unused.length > 0)
    throw new Error(`The code has no such line any more; remove it from equivalent.txt: ${unused.join("\n")}`);
  return all.filter(({ entry }) => !equivalent.includes(entry));
}

/** The test files with the name of a file, or else of its folder: they are likely to notice a mutant, and quick. */
function testsNear(file: string, tests: { path: string; name: string }[]): string[] {
  const [own = "", folder = own] = file.replace(".ts", "").split("/").reverse();
  const named = (word: string) => tests.filter(({ name }) => name.includes(word.replace(/s$/, "")));
  return [named(own), named(folder)].find(({ length }) => length > 0)?.map(({ path }) => path) ?? [];
}

function filesIn(folder: string): string[] {
  return readdirSync(`${projectRoot}/${folder}`, { recursive: true, encoding: "utf8" }).sort();
}

function mutantsOf(path: string): (Omit<Mutant, "half" | "witnesses"> & { entry: string })[] {
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
          entry: `${path}: ${changed.trim()}`,
          change: `${path}:${index + 1} \`${found.trim()}\` is \`${put.trim()}\``,
        };
      }),
    );
  });
}
