/** The source maps of the client: a debugger shows the TypeScript. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { basename } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { editionFolder, editions, projectRoot } from "../../scripts/contract/project.ts";

const runtimeFolder = `${projectRoot}/scripts/client/runtime`;

function readMap(file: string): SourceMapPayload & { sourcesContent: string[] } {
  return JSON.parse(readFileSync(`${file}.map`, "utf8"));
}

/** Places of the lines that stand in a text once, and are long enough to be told from others. */
function distinctLines(text: string): Map<string, number> {
  const lines = text.split("\n").map((line) => line.trim());
  const places = lines.map((line, index) => [line, index] as const);
  return new Map(
    places.filter(
      ([line]) => line.length > 20 && lines.indexOf(line) === lines.lastIndexOf(line) && !/^[/*]/.test(line),
    ),
  );
}

describe.each(editions)("edition %s", (edition) => {
  const client = `${editionFolder(edition)}/client`;
  const scripts = readdirSync(client, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js") && name !== "validators.js")
    .map((name) => [name, `${client}/${name}`] as const);

  it.each(scripts)("%s leads to its source, which the map holds, and to no path", (name, file) => {
    const source = `${basename(name, ".js")}.ts`;
    const map = readMap(file);
    expect([map.file, map.sourceRoot, map.sources]).toEqual([basename(name), "", [source]]);
    expect(readFileSync(file, "utf8").trimEnd().split("\n").at(-1)).toBe(`//# sourceMappingURL=${basename(name)}.map`);
    if (name.startsWith("runtime/")) {
      expect(map.sourcesContent).toEqual([readFileSync(`${runtimeFolder}/../${name.replace(/js$/, "ts")}`, "utf8")]);
    }
  });

  it("leads from every line to the same line of the source", () => {
    let compared = 0;
    for (const [name, file] of scripts) {
      const payload = readMap(file);
      const map = new SourceMap(payload);
      const sourceLines = distinctLines(payload.sourcesContent[0] ?? "");
      const script = readFileSync(file, "utf8");
      for (const [line, index] of distinctLines(script)) {
        const expected = sourceLines.get(line);
        if (expected === undefined) continue;
        const column = script.split("\n")[index]?.indexOf(line) ?? 0;
        const entry = map.findEntry(index, column);
        if (!("generatedLine" in entry) || entry.generatedLine !== index) continue;
        expect([name, line, entry.originalLine]).toEqual([name, line, expected]);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(200);
  });

  it("puts the line of the source into a stack", async () => {
    const program = `import { toDecimal } from ${JSON.stringify(`${client}/index.js`)};
      try { toDecimal("ten"); } catch (error) { console.log(error.stack); }`;
    const args = ["--enable-source-maps", "--input-type=module", "--eval", program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const [, line] = /runtime\/decimal\.ts:(\d+)/.exec(stdout) ?? [];
    expect(readFileSync(`${runtimeFolder}/decimal.ts`, "utf8").split("\n")[Number(line) - 1]).toContain("throw new");
  });
});
