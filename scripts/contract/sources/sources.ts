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
  Place,
  type Publication,
  type Registers,
  type Resource,
  readDelivery,
  readResources,
  UsageError,
} from "../model/index.ts";
import { readPublishing } from "./publishing.ts";
import { diskFiles, type SourceFiles } from "./source-files.ts";

/** Files and folders beside the root document. */
const beside = {
  extensions: "extensions.yaml",
  openQuestions: "open-questions.yaml",
  /** What the service keeps, and how it changes. */
  resources: "resources.yaml",
  /** The scenario that all examples belong to. It is no part of the contract: a test compares the two. */
  scenario: "scenario.yaml",
  /** What the mock assumes where nobody states it. It is no part of the contract. */
  mock: "mock.yaml",
  /** How a call to the service can answer an open question. It is no part of the contract. */
  probes: "probes.yaml",
  /** Breaking changes that are let through. */
  exemptions: "exemptions.yaml",
  /** The control interface of the mock, which is a document of its own. */
  mockControl: "mock-control.yaml",
  /** The catalogue of P-codes. */
  errors: "errors.yaml",
  /** Folder of the workflow descriptions, which are documents of their own. */
  journeys: "journeys",
  /** Folder of the guides, with the list of them. */
  guides: "guides",
};

/** Absolute paths of what is beside the root document, and the folder of all. */
export type Layout = Record<keyof typeof beside | "folder", string>;

/** Where the files beside a root document are. */
export function layoutOf(rootFile: string): Layout {
  const folder = dirname(rootFile);
  const paths = Object.entries(beside).map(([name, path]) => [name, join(folder, path)]);
  return { folder, ...Object.fromEntries(paths) } as Layout;
}

/** What tools besides the mock read of `openapi/mock.yaml`. */
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

  /** Absolute paths of the root document, the registers and every YAML file below, whether they can be read or not. */
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

  /** The text of a file; empty where there is none. */
  text(file: string): string {
    return this.#files.read(file) ?? "";
  }

  /** Forgets a file, so that it is read again: for a watcher. */
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

  /** The whole of a file. References in it are not resolved. */
  place(file: string): Place {
    const { parsed, source } = this.document(file);
    return new Place(parsed, { source, pointer: "#/", resolve: () => undefined });
  }

  /**
   * A resolver for Redocly that reads through these sources and from no other host. Each resolver hands out copies of
   * its own, since bundling changes what it is given.
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
      delivery: readDelivery(this.place(this.layout.resources)),
      invalidRequests: this.#invalidRequests(),
    };
  }

  /** A contract need not have assumptions of a mock. */
  #invalidRequests(): InvalidRequests {
    const { mock } = this.layout;
    const { invalidRequests } = this.#files.read(mock) === undefined ? {} : this.#register<MockFile>(mock);
    return { ...noRegisters.invalidRequests, ...invalidRequests };
  }

  /** What the bundles are published with. */
  publication(): Publication {
    const { extensions, openQuestions } = this.layout;
    const registry = this.#register<Record<string, { published?: true }>>(extensions);
    return {
      keys: Object.entries(registry).flatMap(([key, { published }]) => (published === true ? [key] : [])),
      questions: this.#register<OpenQuestions>(openQuestions),
      support: readPublishing().support,
    };
  }

  /** A status that an entry names and that cannot be read has no values; lint reports it. */
  #resources(): Resource[] {
    const { resources, folder } = this.layout;
    // Fails with a message for people when the register itself cannot be read.
    this.#register(resources);
    return readResources(this.place(resources), (status) => {
      const [file = "", name] = status.split("#/");
      const path = join(folder, file);
      if (this.#files.read(path) === undefined) return undefined;
      return name === undefined ? this.place(path) : this.place(path).own(name);
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
