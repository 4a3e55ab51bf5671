/** Reads the hand-written files of the contract, from disk or, for tests, from memory. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { BaseResolver, isAbsoluteUrl, ResolveError, Source } from "@redocly/openapi-core";

export interface SourceFiles {
  /** Absolute paths of all YAML files below a folder, sorted. */
  list(folder: string): string[];
  /** Text of a file, undefined when there is none. */
  read(file: string): string | undefined;
}

export const diskFiles: SourceFiles = {
  list: (folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".yaml"))
      .map((path) => join(folder, path))
      .sort(),
  read: (file) => (statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : undefined),
};

/** Lets Redocly read from {@link SourceFiles}, and from nowhere else: a reference to another host is refused. */
export class SourceResolver extends BaseResolver {
  readonly #files: SourceFiles;

  constructor(files: SourceFiles) {
    super();
    this.#files = files;
  }

  override async loadExternalRef(file: string): Promise<Source> {
    if (isAbsoluteUrl(file)) throw new ResolveError(new Error("it leaves this repository"));
    const text = this.#files.read(file);
    if (text === undefined) throw new ResolveError(new Error(`there is no file ${relative(process.cwd(), file)}`));
    return new Source(file, text.replaceAll("\r\n", "\n"));
  }
}
