/** The hand-written YAML files, each read and parsed once, for every tool of a run. */
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

/** Files and folders next to the root document. */
const beside = {
  extensions: "extensions.yaml",
  openQuestions: "open-questions.yaml",
  /** The resources of the service and their lifecycles. */
  resources: "resources.yaml",
  /** The scenario of all examples. Not part of the contract; a test compares the two. */
  scenario: "scenario.yaml",
  /** The mock's assumptions. Not part of the contract. */
  mock: "mock.yaml",
  /** The calls that can answer open questions. Not part of the contract. */
  probes: "probes.yaml",
  /** Breaking changes that are permitted. */
  exemptions: "exemptions.yaml",
  /** The control interface of the mock, a separate document. */
  mockControl: "mock-control.yaml",
  /** The catalogue of P-codes. */
  errors: "errors.yaml",
  /** Folder of the Arazzo workflow descriptions. */
  journeys: "journeys",
  /** Folder of the guides and their list. */
  guides: "guides",
};

/** Absolute paths of the files next to the root document, and of their folder. */
type Layout = Record<keyof typeof beside | "folder", string>;

/** The layout of the files next to a root document. */
function layoutOf(rootFile: string): Layout {
  const folder = dirname(rootFile);
  const paths = Object.entries(beside).map(([name, path]) => [name, join(folder, path)]);
  return { folder, ...Object.fromEntries(paths) } as Layout;
}

/** The part of `openapi/mock.yaml` that other tools than the mock read. */
interface MockFile {
  invalidRequests?: Partial<InvalidRequests>;
}

/** A file that cannot be read or parsed. */
export interface Unreadable {
  file: string;
  error: ResolveError | YamlParseError;
}

export class Sources {
  /** Absolute path of the root document. */
  readonly rootFile: string;
  readonly layout: Layout;
  readonly #files: SourceFiles;
  readonly #documents = new Map<string, Document | ResolveError | YamlParseError>();

  /**
   * @param rootFile absolute path of the root document; the contract of this repository by default.
   * @param files where to read from; the disk by default.
   */
  constructor(rootFile: string = contractFile, files: SourceFiles = diskFiles) {
    this.rootFile = rootFile;
    this.layout = layoutOf(rootFile);
    this.#files = files;
  }

  /** Absolute paths of the root document, the registers and every YAML file below, readable or not. */
  get paths(): string[] {
    const { extensions, openQuestions, resources, folder } = this.layout;
    return [...new Set([this.rootFile, extensions, openQuestions, resources, ...this.#files.list(folder)])];
  }

  /**
   * A file with its parsed content, which must not be changed.
   *
   * @throws {ResolveError | YamlParseError} when it cannot be read or parsed.
   */
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

  /** The text of a file; empty when it does not exist. */
  text(file: string): string {
    return this.#files.read(file) ?? "";
  }

  /** Drops a file from the cache, for a watcher. */
  forget(file: string): void {
    this.#documents.delete(file);
  }

  /** Every file that cannot be read or parsed. */
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

  /** The root node of a file. References in it are not resolved. */
  location(file: string): SourceLocation {
    const { parsed, source } = this.document(file);
    return new SourceLocation(parsed, { source, pointer: "#/", resolve: () => undefined });
  }

  /**
   * A resolver for Redocly that reads through these sources, never from another host. Each resolver returns its own copies, since bundling
   * modifies them.
   */
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

  /**
   * The registers, as data.
   *
   * @throws {UsageError} when one cannot be read.
   */
  registers(): Registers {
    const extensions = this.#register<Record<string, { conditions?: Conditions }>>(this.layout.extensions);
    return {
      questions: this.#register<OpenQuestions>(this.layout.openQuestions),
      conditions: extensions["x-requires"]?.conditions ?? {},
      resources: this.#resources(),
      delivery: readDelivery(this.location(this.layout.resources)),
      invalidRequests: this.#invalidRequests(),
    };
  }

  /** The mock's assumptions on invalid requests; the defaults when there is no mock.yaml. */
  #invalidRequests(): InvalidRequests {
    const { mock } = this.layout;
    const { invalidRequests } = this.#files.read(mock) === undefined ? {} : this.#register<MockFile>(mock);
    return { ...noRegisters.invalidRequests, ...invalidRequests };
  }

  /** The data added to published bundles. */
  publication(): Publication {
    const { extensions, openQuestions } = this.layout;
    const registry = this.#register<Record<string, { published?: true }>>(extensions);
    return {
      keys: Object.entries(registry).flatMap(([key, { published }]) => (published === true ? [key] : [])),
      questions: this.#register<OpenQuestions>(openQuestions),
      support: readPublishing().support,
      samples: this.sampleValues(),
    };
  }

  /**
   * Values that samples and imported requests send in place of those used up by the scenario; empty when there is no scenario.
   */
  sampleValues(): SampleValues[] {
    const { scenario } = this.layout;
    if (this.#files.read(scenario) === undefined) return [];
    return this.#register<{ samples?: SampleValues[] }>(scenario).samples ?? [];
  }

  /** The resources of the register. A status whose schema cannot be read has no values; lint reports it. */
  #resources(): Resource[] {
    const { resources, folder } = this.layout;
    // Throws a readable error when the register itself cannot be read.
    this.#register(resources);
    return readResources(this.location(resources), (status) => {
      const [file = "", name] = status.split("#/");
      const path = join(folder, file);
      if (this.#files.read(path) === undefined) return undefined;
      return name === undefined ? this.location(path) : this.location(path).own(name);
    });
  }

  #register<Register>(file: string): Register {
    try {
      return this.document(file).parsed as Register;
    } catch (error) {
      throw new UsageError(`${relative(process.cwd(), file)} cannot be read: ${(error as Error).message}`);
    }
  }
}
