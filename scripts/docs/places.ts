/** Finds the places within an operation that carry a mark of their own: a provenance, or an open question. */
import {
  isRef,
  type JsonSchema,
  type MediaTypeObject,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type Provenance,
  type RequestBodyObject,
  type ResponseObject,
  resolve,
} from "../contract/document.ts";
import { childSchemas } from "./schemas.ts";

/** A place in words (``answer 200 `status` ``) with its marks. */
export interface Place {
  where: string;
  provenance: Provenance | undefined;
  questions: string[];
}

/**
 * The marked places of an operation or webhook below the operation itself, references followed. Bodies of errors are
 * shared by all operations, so of them only what the operation itself writes counts, and not the examples of their
 * codes.
 */
export function markedPlaces(document: OpenApiDocument, operation: OperationObject): Place[] {
  const parameters = (operation.parameters ?? []).flatMap((node) => {
    const parameter = resolve<ParameterObject>(document, node);
    const where = `parameter \`${parameter.name}\``;
    return [...marksOn(parameter, where), ...schemaPlaces(document, parameter.schema, where)];
  });
  const request = operation.requestBody
    ? contentPlaces(document, resolve<RequestBodyObject>(document, operation.requestBody).content, "request")
    : [];
  const answers = Object.entries(operation.responses).flatMap(([status, node]) => {
    const { content = {} } = resolve<ResponseObject>(document, node);
    if (Number(status) < 400) return contentPlaces(document, content, `answer ${status}`);
    const own = isRef(node) ? [] : Object.values(content);
    return own.flatMap(({ schema }) => schemaPlaces(document, schema, `answer ${status}`, { follow: false }));
  });
  return [...parameters, ...request, ...answers];
}

function contentPlaces(document: OpenApiDocument, content: Record<string, MediaTypeObject>, part: string): Place[] {
  return Object.values(content).flatMap(({ schema, examples = {} }) => [
    ...schemaPlaces(document, schema, part),
    ...Object.entries(examples).flatMap(([name, example]) => marksOn(example, `example \`${name}\` of the ${part}`)),
  ]);
}

/**
 * The marked places of a schema.
 *
 * @param part what the schema describes, in words; property names are added to it.
 * @param options whether references are followed; they are unless told otherwise.
 */
export function schemaPlaces(
  document: OpenApiDocument,
  schema: JsonSchema,
  part: string,
  { follow = true }: { follow?: boolean } = {},
): Place[] {
  const visit = (node: JsonSchema, path: string[], above: JsonSchema[]): Place[] => {
    if (above.includes(node)) return [];
    const within = [...above, node];
    const places = marksOn(node, path.length === 0 ? part : `${part} \`${path.join(".")}\``);
    if (follow && isRef(node)) places.push(...visit(resolve<JsonSchema>(document, node), path, within));
    for (const child of childSchemas(node)) {
      places.push(...visit(child.schema, child.property === undefined ? path : [...path, child.property], within));
    }
    return places;
  };
  return visit(schema, [], []);
}

function marksOn(node: object, where: string): Place[] {
  const marks = node as { "x-provenance"?: Provenance; "x-open-questions"?: string[] };
  if (marks["x-provenance"] === undefined && marks["x-open-questions"] === undefined) return [];
  return [{ where, provenance: marks["x-provenance"], questions: marks["x-open-questions"] ?? [] }];
}
