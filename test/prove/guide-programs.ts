/** The programs of the guides "Proving" and "Unknown outcomes" that `prove` judges. */
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { lexer, type Tokens } from "marked";
import { projectRoot } from "../../scripts/base/index.ts";
import { sqliteBanner } from "../support/sqlite-banner.ts";

const tokens = lexer(readFileSync(`${projectRoot}/openapi/guides/proving.md`, "utf8"));
const blocks = tokens.flatMap((token, index) => {
  if (token.type !== "code") return [];
  const paragraphBefore = tokens.slice(0, index).findLast(({ type }) => type === "paragraph")?.raw ?? "";
  const { lang, text } = token as Tokens.Code;
  return [
    {
      lang,
      text,
      file: /Save it as `(.+?)`/.exec(paragraphBefore)?.[1],
      call: /`npx partner-wallet-api (.+)` prints/.exec(paragraphBefore)?.[1],
    },
  ];
});
export const programs = blocks.filter(({ lang }) => lang === "js");
export const reports = blocks.filter(({ call }) => call !== undefined);

/** Imports of the package are resolved to the sources in scripts/. */
export async function writePrograms(folder: string): Promise<void> {
  symlinkSync(`${projectRoot}/node_modules`, join(folder, "node_modules"));
  for (const { file = "", text } of programs) writeFileSync(join(folder, file), text);
  writeFileSync(join(folder, "careful.mjs"), carefulProgram);
  const entryPoints = programs.map(({ file = "" }) => join(folder, file));
  await build({
    entryPoints,
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    tsconfig: `${projectRoot}/tsconfig.json`,
    outExtension: { ".js": ".mjs" },
    allowOverwrite: true,
    banner: sqliteBanner,
  });
}

/** `careful.mjs` of the guide "Unknown outcomes": the program that pays without a function of the package. */
const carefulProgram = lexer(readFileSync(`${projectRoot}/openapi/guides/unknown-outcomes.md`, "utf8"))
  .flatMap((token, index, allTokens) =>
    token.type === "code" &&
    allTokens.slice(index - 2, index).some(({ raw }) => raw.includes("Save it as `careful.mjs`"))
      ? [(token as Tokens.Code).text]
      : [],
  )
  .join("\n");
