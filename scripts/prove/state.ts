/** The temporary folder for one test of a program. It contains the input files, and the state that the program keeps between its starts. */
import { closeSync, lstatSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inputLines, type Journey } from "./journey.ts";
import { type Secret, secretsIn } from "./output.ts";

/** Limits of the search for secrets: the total number of bytes, and the number of files. */
const maxBytes = 16 * 1024 * 1024;
const maxFiles = 1000;

export class RunFolder {
  readonly path = mkdtempSync(join(tmpdir(), "prove-"));
  readonly statePath = join(this.path, "state");
  readonly csvPath = join(this.path, "input.csv");

  writeInput(journey: Journey): void {
    const pathOf = (file: string) => join(this.path, file);
    for (const [file, text] of Object.entries(journey.files ?? {})) writeFileSync(pathOf(file), text);
    writeFileSync(this.csvPath, `${inputLines(journey, pathOf).join("\n")}\n`);
  }

  /** Returns the secrets that are stored in any file of the folder except the CSV input, within the limits of the search. */
  findSecrets(secrets: readonly Secret[]): readonly Secret[] {
    let remainingBytes = maxBytes;
    const foundSecrets = new Set<Secret>();
    const entries = readdirSync(this.path, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    for (const path of files.filter((file) => file !== this.csvPath).slice(0, maxFiles)) {
      const text = beginningOf(path, Math.min(lstatSync(path).size, remainingBytes));
      remainingBytes -= text.length;
      for (const secret of secretsIn(text, secrets)) foundSecrets.add(secret);
    }
    return [...foundSecrets];
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
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
