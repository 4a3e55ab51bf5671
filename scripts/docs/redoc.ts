/** Runs `redocly build-docs`. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { OpenApiDocument } from "../contract/document.ts";
import { projectRoot } from "../contract/project.ts";
import { UsageError } from "../contract/usage-error.ts";

const redoclyCommand = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");
const configFile = `${projectRoot}/scripts/docs/redoc.yaml`;
const templateFile = `${projectRoot}/scripts/docs/page.hbs`;

/** Keeps Redocly from reporting on its use, from asking for updates, and pages from reporting on their readers. */
const quiet = {
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  REDOCLY_SUPPRESS_NOTIFICATIONS: "true",
  NO_COLOR: "1",
};

/**
 * The page of a document as Redocly makes it: one HTML file with everything in it. It is not sealed yet (see `seal.ts`).
 * What Redocly prints (a banner on Node 20 among other things) is shown only when it fails.
 *
 * @throws {UsageError} when Redocly fails.
 */
export async function renderPage(document: OpenApiDocument): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "docs-page-"));
  try {
    const input = join(folder, "openapi.json");
    const output = join(folder, "index.html");
    await writeFile(input, JSON.stringify(document));
    const options = ["--inlineBundle", "--config", configFile, "--template", templateFile];
    await promisify(execFile)(
      process.execPath,
      [redoclyCommand, "build-docs", input, "--output", output, "--title", document.info.title, ...options],
      { cwd: folder, env: { ...process.env, ...quiet }, maxBuffer: 16 * 1024 * 1024 },
    );
    return await readFile(output, "utf8");
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    throw new UsageError(`The page of ${document.info.title} could not be made: ${stderr.trim() || message}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
