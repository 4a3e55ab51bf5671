import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isolatedDeclarationSync } from "rolldown/experimental";
import { projectRoot, UsageError } from "../../base/index.ts";

/** Types are not checked here, but by `npm run check`. @throws {UsageError} if an export has no explicit type. */
export function emitDeclarations(path: string, text: string = readFileSync(join(projectRoot, path), "utf8")): string {
  const { code, errors } = isolatedDeclarationSync(path, text);
  const problems = errors.map(({ message, codeframe }) => codeframe ?? message);
  if (problems.length > 0) throw new UsageError(`This cannot be published:\n${problems.join("").trim()}`);
  // oxc removes the space before the asterisks of a comment.
  return code.replace(/^(\t*)\*/gm, "$1 *");
}
