/** Reads the hand-written files, all of them before anything is judged. */
import { type Document, type ResolveError, YamlParseError } from "@redocly/openapi-core";
import { type Finding, withRemedy } from "./report.ts";
import { layoutOf } from "./source-contract.ts";
import { type SourceFiles, SourceResolver } from "./source-files.ts";

export interface Sources {
  /** Absolute path of the root document. */
  rootFile: string;
  /** Absolute paths of the files that belong to the contract, whether they can be read or not. */
  paths: string[];
  /** What was read, by path. */
  documents: Map<string, Document>;
  /** Holds what was read, for Redocly. */
  resolver: SourceResolver;
  /** What cannot be read. */
  findings: Finding[];
}

/** Reads the root document, the registers and every YAML file below. */
export async function readSources(rootFile: string, files: SourceFiles): Promise<Sources> {
  const { folder, extensions, openQuestions } = layoutOf(rootFile);
  const paths = [...new Set([rootFile, extensions, openQuestions, ...files.list(folder)])];
  const resolver = new SourceResolver(files);
  const documents = new Map<string, Document>();
  const findings: Finding[] = [];
  for (const path of paths) {
    try {
      documents.set(path, (await resolver.resolveDocument(null, path, true)) as Document);
    } catch (error) {
      findings.push(toFinding(path, error as ResolveError | YamlParseError));
    }
  }
  return { rootFile, paths, documents, resolver, findings };
}

function toFinding(file: string, error: ResolveError | YamlParseError): Finding {
  if (error instanceof YamlParseError) {
    const problem = `This is no YAML: ${error.message.replace(/ in ".*$| \(\d+:\d+\)$/, "")}`;
    const message = withRemedy(problem, "Mend the indentation, quotes or keys here or just above");
    return { file, line: error.line, column: error.col, severity: "error", rule: "yaml-syntax", message };
  }
  const message = withRemedy(`The file cannot be read: ${error.message}`, "Restore it, or name another root document");
  return { file, line: 1, column: 1, severity: "error", rule: "missing-file", message };
}
