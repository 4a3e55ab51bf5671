/** The hand-written YAML files of the contract. Each file is read and parsed once. */
import { dirname, join, relative } from "node:path";
import {
  BaseResolver,
  type Document,
  isAbsoluteUrl,
  makeDocumentFromString,
  ResolveError,
  type YamlParseError,
} from "@redocly/openapi-core";
import {
  type Conditions,
  contractFile,
  type InvalidRequests,
  noRegisters,
  type OpenApiDocument,
  type OpenQuestions,
  type Publication,
  type Registers,
  type Resource,
  readDelivery,
  readResources,
  type SampleValues,
  SourceLocation,
  UsageError,
} from "../model/index.ts";
import { readPublishing } from "./publishing.ts";
import { diskFiles, type SourceFiles } from "./source-files.ts";

/** The files and folders of the contract besides the root document and what it refers to, relative to its folder. */
const contractFiles = {
  extensions: "extensions.yaml",
  openQuestions: "open-questions.yaml",
  resources: "resources.yaml",
  scenario: "scenario.yaml",
  mock: "mock.yaml",
  answers: "answers.yaml",
  probes: "probes.yaml",
  exemptions: "exemptions.yaml",
  mockControl: "mock-control.yaml",
  errors: "errors.yaml",
  statements: "sources.yaml",
  journeys: "journeys",
  guides: "guides",
};

type Layout = Record<keyof typeof contractFiles | "folder", string>;

function layoutOf(rootFile: string): Layout {
  const folder = dirname(rootFile);
  const paths = Object.entries(contractFiles).map(([name, path]) => [name, join(folder, path)]);
  return { folder, ...Object.fromEntries(paths) } as Layout;
}

export interface Unreadable {
  file: string;
  error: ResolveError | YamlParseError;
}

export class Sources {
  readonly rootFile: string;
  readonly layout: Layout;
  readonly #files: SourceFiles;
  readonly #documents = new Map<string, Document | ResolveError | YamlParseError>();

  constructor(rootFile: string = contractFile, files: SourceFiles = diskFiles) {
    this.rootFile = rootFile;
    this.layout = layoutOf(rootFile);
    this.#files = files;
  }

  /** Absolute paths. Contains the root document and three required registers even if they do not exist. */
  get paths(): string[] {
    const { extensions, openQuestions, resources, folder } = this.layout;
    return [...new Set([this.rootFile, extensions, openQuestions, resources, ...this.#files.list(folder)])];
  }

  /** Callers must not change the document. @throws {ResolveError | YamlParseError} if the file cannot be read or parsed. */
  document(file: string): Document {
    const known = this.#documents.get(file) ?? this.#read(file);
    this.#documents.set(file, known);
    if (known instanceof Error) throw known;
    return known;
  }

  #read(file: string): Document | ResolveError | YamlParseError {
    if (isAbsoluteUrl(file)) return new ResolveError(new Error("it leaves this repository"));
    const text = this.#files.read(file);
    if (text === undefined) {
      return new ResolveError(new Error(`there is no file ${relative(process.cwd(), file)}`));
    }
    try {
      const document = makeDocumentFromString(text.replaceAll("\r\n", "\n"), file);
      return document.parsed == null ? new ResolveError(new Error("it is empty")) : document;
    } catch (error) {
      return error as YamlParseError;
    }
  }

  /** Empty if the file does not exist. */
  text(file: string): string {
    return this.#files.read(file) ?? "";
  }

  forget(file: string): void {
    this.#documents.delete(file);
  }

  unreadable(): Unreadable[] {
    return this.paths.flatMap((file) => {
      try {
        this.document(file);
        return [];
      } catch (error) {
        return [{ file, error: error as ResolveError | YamlParseError }];
      }
    });
  }

  /** The root node of a file. Does not resolve references. */
  location(file: string): SourceLocation {
    const { parsed, source } = this.document(file);
    return new SourceLocation(parsed, { source, pointer: "#/", resolve: () => undefined });
  }

  /** Reads only these files, never the network. Returns copies, because bundling modifies documents. */
  resolver(): BaseResolver {
    const copies = new Map<string, Document>();
    const read = async (base: string | null, ref: string): Promise<Document> => {
      const file = resolver.resolveExternalRef(base, ref);
      const { source, parsed } = this.document(file);
      const copy = copies.get(file) ?? { source, parsed: structuredClone(parsed) };
      copies.set(file, copy);
      return copy;
    };
    const resolver = Object.assign(new BaseResolver(), { resolveDocument: read as BaseResolver["resolveDocument"] });
    return resolver;
  }

  registers(): Registers {
    const { invalidRequests } = this.#optional<{ invalidRequests: Partial<InvalidRequests> }>(this.layout.mock);
    const extensions = this.#register<Record<string, { conditions?: Conditions }>>(this.layout.extensions);
    return {
      questions: this.#register<OpenQuestions>(this.layout.openQuestions),
      conditions: extensions["x-requires"]?.conditions ?? {},
      resources: this.#resources(),
      delivery: readDelivery(this.location(this.layout.resources)),
      invalidRequests: { ...noRegisters.invalidRequests, ...invalidRequests },
    };
  }

  publication(): Publication {
    const { extensions, openQuestions } = this.layout;
    const registry = this.#register<Record<string, { published?: true }>>(extensions);
    return {
      keys: Object.entries(registry).flatMap(([key, { published }]) => (published === true ? [key] : [])),
      questions: this.#register<OpenQuestions>(openQuestions),
      support: readPublishing().support,
      samples: this.sampleValues(),
      released: this.#released(),
    };
  }

  #released(): Publication["released"] {
    return Object.entries(this.#files.released?.(this.layout.folder) ?? {})
      .sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
      .map(([version, text]) => ({ version, document: JSON.parse(text) as OpenApiDocument }));
  }

  sampleValues(): SampleValues[] {
    return this.#optional<{ samples: SampleValues[] }>(this.layout.scenario).samples ?? [];
  }

  /** A status whose schema does not exist, which lint reports, has no values. */
  #resources(): Resource[] {
    const { resources, folder } = this.layout;
    // Throws a UsageError if the register cannot be read.
    this.#register(resources);
    return readResources(this.location(resources), (status) => {
      const [file = "", name] = status.split("#/");
      const path = join(folder, file);
      if (this.#files.read(path) === undefined) return undefined;
      return name === undefined ? this.location(path) : this.location(path).own(name);
    });
  }

  #optional<Register>(file: string): Partial<Register> {
    return this.#files.read(file) === undefined ? {} : this.#register<Partial<Register>>(file);
  }

  #register<Register>(file: string): Register {
    try {
      return this.document(file).parsed as Register;
    } catch (error) {
      throw new UsageError(`${relative(process.cwd(), file)} cannot be read: ${(error as Error).message}`);
    }
  }
}
