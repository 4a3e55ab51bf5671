/** The call that a sample shows, in no language yet. */
import { type Body, type Operation, type Parameter, walkSchema } from "../../contract/index.ts";
import { mockAddresses } from "./constants.ts";

/** A file of an upload; the mock asks for its name and type only. */
export interface SampleFile {
  part: string;
  /** Whether the part can hold several files. */
  isList: boolean;
  name: string;
  type: string;
  content: string;
}

export interface SampleRequest {
  operation: Operation;
  path: Record<string, string>;
  query: Record<string, unknown>;
  /** The JSON body; undefined where none is sent. */
  json: unknown;
  /** The files, for a multipart body. */
  files: SampleFile[] | undefined;
  /** The header `Prefer`; undefined where the mock does what the call says. */
  prefer: string | undefined;
}

/**
 * Whether the mock, as `npm start` serves it, can answer a call from its state again and again: it only reads, and reads data. A page
 * leads somewhere only as long as what it belongs to goes on, and in the scenario that is over.
 */
export function isAnsweredFromState({ method, effects, answers }: Operation): boolean {
  const isPage = answers.some(
    ({ status, bodies }) => status < 300 && bodies.some(({ mediaType }) => isText(mediaType)),
  );
  return method === "get" && effects.length === 0 && !isPage;
}

/** Whether a media type is that of a page or another text, and not JSON. */
export function isText(mediaType: string): boolean {
  return /^text\//.test(mediaType);
}

/** The path with the values of its parameters. */
export function pathOf({ operation, path }: SampleRequest): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
}

/** The URL of the call at the mock. */
export function urlOf(request: SampleRequest): string {
  const query = new URLSearchParams(Object.entries(request.query).map(([name, value]) => [name, String(value)]));
  return `${mockAddresses[request.operation.address]}${pathOf(request)}${query.size === 0 ? "" : `?${query}`}`;
}

/** The values of the parameters' examples, by name. */
export function exampleParameters(operation: Operation, place: "path" | "query"): Record<string, unknown> {
  const own = operation.parameters.filter((parameter) => parameter.in === place && exampleOf(parameter) !== undefined);
  return Object.fromEntries(own.map((parameter) => [parameter.name, exampleOf(parameter)]));
}

function exampleOf({ example, schema }: Parameter): unknown {
  return example ?? schema.target.own("examples").items()[0]?.value;
}

const typesByEnding: Record<string, string> = { jpg: "image/jpeg", png: "image/png", pdf: "application/pdf" };

/** The files of an example of a multipart body, whose texts name them: `(bytes of selfie.jpg)`. */
export function filesOf({ schema }: Body, example: unknown): SampleFile[] {
  const lists = new Set<string>();
  walkSchema(schema, (place, { path: [part, ...deeper] }) => {
    if (part !== undefined && deeper.length === 0 && place.own("items").exists) lists.add(part);
  });
  return Object.entries(example as object).flatMap(([part, value]) =>
    [value].flat().map((text) => {
      const name = /\(bytes of (.+)\)/.exec(String(text))?.[1] ?? `${part}.jpg`;
      const type = typesByEnding[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
      return { part, isList: lists.has(part), name, type, content: "a few bytes" };
    }),
  );
}
