/** Each file is parsed once, until `forget`. */
import { dirname, join } from "node:path";
import {
  BaseResolver,
  type Document,
  detectSpec,
  isAbsoluteUrl,
  makeDocumentFromString,
  ResolveError,
  type YamlParseError,
} from "@redocly/openapi-core";
import { contractFile, UsageError } from "../../base/index.ts";
import {
  emptyRegisters,
  type OpenQuestions,
  type Registers,
  type Resolve,
  readDelivery,
  readInvalidRequests,
  readResources,
  referencesIn,
  SourceLocation,
  valueAt,
} from "../model/index.ts";
import { circularReferences } from "./circular-references.ts";
import { type Extensions, type FormName, formOf } from "./forms.ts";
import { refuseMalformedMock } from "./mock-form.ts";
import { diskFiles, nameOf, type SourceFiles } from "./source-files.ts";
import { valueOfForm } from "./value-of-form.ts";

/** Paths are relative to the folder of the root document. */
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
  publishing: "../publishing.yaml",
};

type Layout = Record<keyof typeof contractFiles | "folder", string>;

function layoutOf(rootFile: string): Layout {
  const folder = dirname(rootFile);
  const paths = Object.entries(contractFiles).map(([name, path]) => [name, join(folder, path)]);
  return { folder, ...Object.fromEntries(paths) } as Layout;
}

export interface UnreadableFile {
  file: string;
  error: ResolveError | YamlParseError;
}

export class Sources {
  readonly rootFile: string;
  readonly layout: Layout;
  readonly #files: SourceFiles;
  readonly #documents = new Map<string, Document | ResolveError | YamlParseError>();
  #circularReferences: readonly SourceLocation[] | undefined;

  constructor(rootFile: string = contractFile, files: SourceFiles = diskFiles) {
    this.rootFile = rootFile;
    this.layout = layoutOf(rootFile);
    this.#files = files;
  }

  /** Absolute paths of all files. Includes the root document and three required registers even if they do not exist. */
  get paths(): string[] {
    const { extensions, openQuestions, resources, folder } = this.layout;
    return [...new Set([this.rootFile, extensions, openQuestions, resources, ...this.#files.list(folder)])];
  }

  /**
   * The parsed file, which callers must not change.
   *
   * @throws {ResolveError | YamlParseError} if the file cannot be read or parsed.
   */
  document(file: string): Document {
    const document = this.#tryDocument(file);
    if (document instanceof Error) throw document;
    return document;
  }

  #tryDocument(file: string): Document | ResolveError | YamlParseError {
    const document = this.#documents.get(file) ?? this.#parse(file);
    this.#documents.set(file, document);
    return document;
  }

  #parse(file: string): Document | ResolveError | YamlParseError {
    if (isAbsoluteUrl(file)) return new ResolveError(new Error("it leaves this repository"));
    const text = this.#textOf(file);
    if (text === undefined) {
      return new ResolveError(new Error(`there is no file ${this.nameOf(file)}`));
    }
    try {
      const document = makeDocumentFromString(text, file);
      return document.parsed == null ? new ResolveError(new Error("it is empty")) : document;
    } catch (error) {
      return error as YamlParseError;
    }
  }

  /** @throws {ResolveError | YamlParseError} if the file cannot be read or parsed. */
  isOpenApi31(file = this.rootFile): boolean {
    const { parsed } = this.document(file);
    try {
      return detectSpec(parsed) === "oas3_1";
    } catch {
      // Redocly throws for a document that it does not know.
      return false;
    }
  }

  has(file: string): boolean {
    return this.#files.read(file) !== undefined;
  }

  /** Empty if the file does not exist. */
  text(file: string): string {
    return this.#textOf(file) ?? "";
  }

  #textOf(file: string): string | undefined {
    return this.#files.read(file)?.replaceAll("\r\n", "\n");
  }

  /** The path for messages. */
  nameOf(file: string): string {
    return nameOf(file);
  }

  forget(file: string): void {
    this.#documents.delete(file);
    this.#circularReferences = undefined;
  }

  /** Leaves out files that cannot be read. */
  circularReferences(): readonly SourceLocation[] {
    this.#circularReferences ??= circularReferences(
      this.paths.flatMap((file) => {
        return this.#tryDocument(file) instanceof Error ? [] : referencesIn(this.location(file));
      }),
    );
    return this.#circularReferences;
  }

  unreadableFiles(): UnreadableFile[] {
    return this.paths.flatMap((file) => {
      const document = this.#tryDocument(file);
      return document instanceof Error ? [{ file, error: document }] : [];
    });
  }

  /**
   * The references in the file are not resolved.
   *
   * @throws {UsageError} if the file cannot be read or parsed.
   */
  location(file: string): SourceLocation {
    const document = this.#tryDocument(file);
    if (document instanceof Error) throw new UsageError(`${this.nameOf(file)} cannot be read: ${document.message}`);
    const { parsed, source } = document;
    return new SourceLocation(parsed, { source, pointer: "#/", resolve: () => undefined });
  }

  optionalLocation(file: string): SourceLocation | undefined {
    return this.has(file) ? this.location(file) : undefined;
  }

  /** {@link location} with resolved references. A reference to a file that cannot be read has no target. */
  linkedLocation(file: string): SourceLocation {
    const resolve: Resolve = ({ $ref }, referringFile) => {
      const [path = "", pointer = ""] = $ref.split("#");
      const document = this.#tryDocument(path === "" ? referringFile : join(dirname(referringFile), path));
      if (document instanceof Error) return undefined;
      const { parsed, source } = document;
      return { value: valueAt(parsed, `#${pointer}`), source, pointer: `#${pointer || "/"}` };
    };
    const { value, source, pointer } = this.location(file);
    return new SourceLocation(value, { source, pointer, resolve });
  }

  /** Reads local files, never the network. Returns a copy of each file, because bundling changes documents. */
  resolver(): BaseResolver {
    const copies = new Map<string, Document>();
    const resolveDocument = async (base: string | null, ref: string): Promise<Document> => {
      const file = resolver.resolveExternalRef(base, ref);
      const { source, parsed } = this.document(file);
      const copy = copies.get(file) ?? { source, parsed: structuredClone(parsed) };
      copies.set(file, copy);
      return copy;
    };
    const resolver = Object.assign(new BaseResolver(), {
      resolveDocument: resolveDocument as BaseResolver["resolveDocument"],
    });
    return resolver;
  }

  /** @param options.isLinted whether malformed registers are read as they are, because lint reports them. */
  registers({ isLinted = false } = {}): Registers {
    const { mock, mockControl, resources } = this.layout;
    const registerOf = <Value>(name: FormName): Value =>
      isLinted ? (this.location(this.layout[name]).value as Value) : this.register<Value>(name);
    const conditions = registerOf<Extensions>("extensions")["x-requires"]?.conditions ?? {};
    registerOf("resources");
    const resourceRegister = this.location(resources);
    const mockSettings = this.optionalLocation(mock);
    if (!isLinted && mockSettings) refuseMalformedMock(mockSettings, this.optionalLocation(mockControl));
    return {
      questions: registerOf<OpenQuestions>("openQuestions"),
      conditions,
      resources: readResources(resourceRegister, (status) => this.#schemaOf(status)),
      delivery: readDelivery(resourceRegister),
      invalidRequests: mockSettings
        ? readInvalidRequests(mockSettings.child("invalidRequests"))
        : emptyRegisters.invalidRequests,
    };
  }

  /** @throws {UsageError} if the file cannot be read or parsed, or does not have its form. */
  register<Value>(name: FormName): Value {
    return valueOfForm(this.location(this.layout[name]), formOf(name));
  }

  /** The texts of the released contracts, by version. */
  releaseTexts(): Record<string, string> {
    return this.#files.readReleases?.(this.layout.folder) ?? {};
  }

  /** A status whose schema does not exist has no values here. Lint reports it. */
  #schemaOf(status: string): SourceLocation | undefined {
    const [file = "", name] = status.split("#/");
    const path = join(this.layout.folder, file);
    if (!this.has(path)) return undefined;
    return name === undefined ? this.location(path) : this.location(path).child(name);
  }
}
