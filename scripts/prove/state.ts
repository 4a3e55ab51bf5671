/** The temporary folder contains the input files, and the state that the program keeps between its starts. */
import { closeSync, lstatSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inputLines, type Journey } from "./journey.ts";
import { type Secret, secretsIn } from "./output.ts";

/** Limits of the search for secrets: the total number of mebibytes, and the number of files. */
const maxMebibytes = 16;
const maxFiles = 1000;

export class RunFolder {
  readonly path = mkdtempSync(join(tmpdir(), "prove-"));
  readonly statePath = join(this.path, "state");
  readonly csvPath = join(this.path, "input.csv");
  /** What could not be searched or removed, such as files of a program that runs as another user in a container. */
  readonly remarks = new Set<string>();

  writeInput(journey: Journey): void {
    const pathOf = (file: string) => join(this.path, file);
    for (const [file, text] of Object.entries(journey.files ?? {})) writeFileSync(pathOf(file), text);
    writeFileSync(this.csvPath, `${inputLines(journey, pathOf).join("\n")}\n`);
  }

  /** Skips what cannot be read and what exceeds the limits of the search, and adds a remark. The CSV input is not searched. */
  findSecrets(secrets: readonly Secret[]): readonly Secret[] {
    let remainingBytes = maxMebibytes * 1024 * 1024;
    const foundSecrets = new Set<Secret>();
    const files = this.#listFiles(this.path).filter((file) => file !== this.csvPath);
    if (files.length > maxFiles)
      this.remarks.add(`The state has more than ${maxFiles} files: the others were not searched for secrets.`);
    for (const path of files.slice(0, maxFiles)) {
      const size = this.#readOr(0, () => lstatSync(path).size);
      if (size > remainingBytes)
        this.remarks.add(`The state has more than ${maxMebibytes} MiB: the rest was not searched for secrets.`);
      const text = this.#readOr("", () => beginningOf(path, Math.min(size, remainingBytes)));
      remainingBytes -= text.length;
      for (const secret of secretsIn(text, secrets)) foundSecrets.add(secret);
    }
    return [...foundSecrets];
  }

  /** Adds a remark if a part of the folder cannot be removed. */
  remove(): void {
    try {
      rmSync(this.path, { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      this.remarks.add(`A part of the state cannot be removed (${codeOf(error)}): see prove-* in ${tmpdir()}.`);
    }
  }

  #listFiles(folder: string): string[] {
    const entries = this.#readOr([], () => readdirSync(folder, { withFileTypes: true }));
    return entries.flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? this.#listFiles(path) : entry.isFile() ? [path] : [];
    });
  }

  #readOr<Result>(fallback: Result, read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      this.remarks.add(`A part of the state cannot be read (${codeOf(error)}): it was not searched for secrets.`);
      return fallback;
    }
  }
}

/** The code of an error of the file system, such as `EACCES`. @throws `error` if it is not one. */
function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return code;
}

/** Reads the beginning of a file, with one character for each byte, so that binary files can be searched. */
function beginningOf(path: string, length: number): string {
  const descriptor = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(length);
    return buffer.toString("latin1", 0, readSync(descriptor, buffer, 0, length, 0));
  } finally {
    closeSync(descriptor);
  }
}
