/** Finds the parts of a document that hold schemas and examples: in operations, in webhooks and among the components. */
import {
  isRef,
  type JsonSchema,
  type MediaTypeObject,
  methods,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PathItemObject,
  type Ref,
  type RequestBodyObject,
  type ResponseObject,
} from "../../contract/index.ts";

/** The operations of path items, with the path item that each stands in. */
export function operationsOf(items: Record<string, PathItemObject> = {}): [OperationObject, PathItemObject][] {
  return Object.values(items).flatMap((item) =>
    methods.flatMap((method): [OperationObject, PathItemObject][] => {
      const operation = item[method];
      return operation === undefined ? [] : [[operation, item]];
    }),
  );
}

/** Everything that holds a schema: each part once, those that only refer to a component left out. */
export interface Parts {
  parameters: ParameterObject[];
  requestBodies: RequestBodyObject[];
  responses: ResponseObject[];
  mediaTypes: MediaTypeObject[];
  /** Components, and the schemas of the parts above. */
  schemas: JsonSchema[];
}

/** The parts of a document. */
export function partsOf({ paths, webhooks, components = {} }: OpenApiDocument): Parts {
  const operations = [...operationsOf(paths), ...operationsOf(webhooks)];
  const items = new Set(operations.map(([, item]) => item));
  const own = <Part>(section: string, used: (Part | Ref | undefined)[]): Part[] => {
    const all = [...(Object.values(components[section] ?? {}) as Part[]), ...used];
    return all.filter((part): part is Part => part !== undefined && !isRef(part));
  };
  const parameters = own<ParameterObject>("parameters", [
    ...[...items].flatMap((item) => item.parameters ?? []),
    ...operations.flatMap(([operation]) => operation.parameters ?? []),
  ]);
  const requestBodies = own<RequestBodyObject>(
    "requestBodies",
    operations.map(([{ requestBody }]) => requestBody),
  );
  const responses = own<ResponseObject>(
    "responses",
    operations.flatMap(([{ responses: answers }]) => Object.values(answers ?? {})),
  );
  const headers = responses.flatMap((response) => Object.values((response.headers ?? {}) as object));
  const mediaTypes = [...requestBodies, ...responses].flatMap(({ content }) => Object.values(content ?? {}));
  const holders = [...parameters, ...mediaTypes, ...headers] as { schema?: JsonSchema }[];
  const schemas = own<JsonSchema>("schemas", []).concat(
    holders.flatMap(({ schema }) => (schema === undefined ? [] : [schema])),
  );
  return { parameters, requestBodies, responses, mediaTypes, schemas };
}
