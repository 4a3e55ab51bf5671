import {
  alternativesOf,
  type Contract,
  codeOf,
  codeProperty,
  compositions,
  type DocumentedResponse,
  generalError,
  isJsonType,
  isRef,
  isSuccess,
  type JsonSchema,
  type OpenQuestions,
  type Operation,
  propertiesOf,
  type RequestBody,
  type SourceLocation,
  visitObjects,
  walkSchema,
} from "../../../contract/model/index.ts";
import { checkAmounts } from "../reading/amounts.ts";
import { bodyOf } from "../reading/bodies.ts";
import { demand } from "../reading/refusal.ts";
import { checkName } from "./check-names.ts";

/** Members of every client; `await` calls `then`. */
const membersOfClient = new Set(["edition", "then"]);

const otherId = "Choose another operationId";

/** Refuses contracts from which no correct TypeScript can be generated. */
export function checkContract(contract: Contract, questions: OpenQuestions): void {
  const { root, operations, webhooks, resources } = contract;
  checkQuestions(contract, questions);
  for (const [name, schema] of root.child("components", "schemas").entries()) {
    checkName(name, schema);
    checkSchema(schema);
  }
  for (const operation of operations) {
    const { operationId, location } = operation;
    const hasId = location.child("operationId").exists;
    demand(hasId, location, "The client needs an operationId, which names its function", "Add one");
    checkName(operationId, location);
    const isFirst = operations.find((other) => other.operationId === operationId) === operation;
    demand(isFirst, location, `The client has another operation ${operationId}`, otherId);
    demand(!membersOfClient.has(operationId), location, `The client has ${operationId} for itself`, otherId);
    checkParameters(operation);
    checkMessages(operation);
  }
  for (const { method, requestBody, location } of webhooks) {
    demand(method === "post", location, "The client receives webhooks by POST only", "Write post in place of it");
    if (requestBody !== undefined) checkBody(requestBody);
  }
  for (const { name, location } of resources) checkName(name, location);
  checkAmounts(contract);
}

function checkQuestions({ document, root }: Contract, questions: OpenQuestions): void {
  visitObjects(document, (object: { "x-open-questions"?: string[] }, path) => {
    for (const id of object["x-open-questions"] ?? [])
      demand(
        Object.hasOwn(questions, id),
        root.child(...path, "x-open-questions"),
        `There is no open question ${id}`,
        "Add it to openapi/open-questions.yaml, or correct the id",
      );
  });
}

/** openapi-typescript leaves these keywords out of the type if they are beside a reference. */
const keywordsLostBesideRef = [
  "type",
  "enum",
  "const",
  "properties",
  "required",
  "items",
  "additionalProperties",
  ...compositions,
];

function checkSchema(schema: SourceLocation): void {
  walkSchema(schema, (part, { ancestors }) => {
    const { properties, additionalProperties, type, "x-open-enum": knownValues } = part.value as JsonSchema;
    if (isRef(part.value)) checkReference(part, part.value.$ref, ancestors);
    demand(
      properties === undefined ||
        typeof additionalProperties !== "object" ||
        Object.keys(additionalProperties).length === 0,
      part,
      "The client has no type for properties beside a schema of additionalProperties",
      "Write additionalProperties: true",
    );
    demand(
      knownValues === undefined || [type].flat().every((name) => name === "string" || name === "null"),
      part,
      "The client reads x-open-enum of strings only",
      "Write type: string, or leave x-open-enum out",
    );
  });
}

function checkReference(schema: SourceLocation, $ref: string, ancestors: readonly SourceLocation[]): void {
  const { nextTarget } = schema;
  demand(nextTarget.exists, schema, `The client finds no schema ${$ref}`, "Correct the reference");
  demand(
    /^#\/components\/schemas\/[^/]+$/.test($ref),
    schema,
    `The client needs a name for ${$ref}`,
    "Make it a schema of its own",
  );
  const lostKeyword = keywordsLostBesideRef.find((name) => schema.child(name).exists);
  demand(
    lostKeyword === undefined,
    schema,
    `The client has no type for ${lostKeyword} beside $ref`,
    "Write both under allOf",
  );
  const enclosingIds = [schema, ...ancestors].map(({ id }) => id);
  demand(
    !enclosingIds.includes(nextTarget.id),
    schema,
    `The client cannot read ${$ref}, which contains itself`,
    "Refer to a schema that does not contain the reference",
  );
}

/** JSON types that cannot be written as a parameter. */
const refusedTypes: Record<string, readonly string[]> = { path: ["object", "array", "boolean"], query: ["object"] };
const defaultStyles: Record<string, string> = { path: "simple", query: "form" };

function checkParameters({ parameters, path, location: operation }: Operation): void {
  for (const { in: group, location: reference, schema, node } of parameters) {
    const location = reference.target;
    const types = refusedTypes[group] ?? [];
    demand(
      types.length > 0,
      location,
      "The client sends parameters in the path and the query only",
      "Leave it out, or extend scripts/client/src/call/request.ts",
    );
    demand(schema.exists, location, "The client needs a schema of the parameter", "Write it in place of content");
    const { style = defaultStyles[group], explode = group === "query", allowReserved = false } = node;
    demand(
      style === defaultStyles[group] && explode === (group === "query") && !allowReserved,
      location,
      "The client writes parameters in the default style",
      "Leave out style, explode and allowReserved",
    );
    checkSchema(schema);
    walkSchema(schema, (part) =>
      demand(
        !part.texts("type").some((type) => types.includes(type)),
        part,
        `The client sends no ${types.join(" or ")} in the ${group}`,
        "Write another type",
      ),
    );
  }
  const namesInPath = path.match(/(?<=\{)[^}]*/g) ?? [];
  const names = parameters.flatMap(({ in: group, name }) => (group === "path" ? [name] : []));
  demand(
    namesInPath.every((name) => /^\w+$/.test(name)) && `${namesInPath.sort()}` === `${names.sort()}`,
    operation,
    `The client needs the parameters of ${path}`,
    "Declare each of them in: path, with a name of letters, digits and _",
  );
}

const methods = ["get", "put", "post", "delete", "patch"];

function checkMessages({ method, requestBody, responses, location: operation }: Operation): void {
  const isKnown = methods.includes(method);
  demand(isKnown, operation, "The client calls GET, PUT, POST, DELETE and PATCH only", "Use one of these methods");
  if (requestBody !== undefined) {
    const { required, location } = requestBody;
    demand(method !== "get", location, "The client cannot send a body with GET", "Use parameters in the query");
    demand(required, location, "The client always sends the body", "Write required: true");
    checkBody(requestBody);
  }
  for (const response of responses) {
    const { status, codes, bodies, location } = response;
    const hasStatus = !Number.isNaN(status);
    demand(hasStatus, location, "The client needs one status for each response", 'Write one, such as "200"');
    demand(
      !isSuccess(response) || bodies.length > 0,
      location,
      "The client reads a success without a body as an error",
      "Describe its body, such as one with a message",
    );
    checkBody(response);
    for (const { mediaType, schema } of bodies) {
      checkReadable(mediaType, schema, location);
      if (!isSuccess(response)) alternativesOf(schema).forEach(checkError);
      const hasOnlyCodes = alternativesOf(schema).every(
        (alternative) => codeOf(alternative) !== undefined || alternative.target.name === generalError,
      );
      demand(
        codes.length === 0 || hasOnlyCodes,
        schema,
        `The client reads only ${generalError} beside P-codes`,
        "Leave out the other schemas",
      );
    }
  }
  const hasSuccess = responses.some(isSuccess);
  demand(hasSuccess, operation, "The client needs a response with a status of success, such as 200", "Add one");
}

/** The client compares errors with this schema, and tells by it which responses are open. */
function checkError(error: SourceLocation): void {
  const isKnown = codeOf(error) !== undefined || error.target.name === generalError;
  demand(
    isKnown || !propertiesOf(error).has(codeProperty),
    error,
    `The client knows the schema of errors with any P-code by the name ${generalError}`,
    "Use this name",
  );
}

function checkReadable(mediaType: string, schema: SourceLocation, response: SourceLocation): void {
  const problem = "The client reads JSON and texts only, without format: binary";
  const remedy = "Document another media type or format";
  demand(isJsonType(mediaType) || /^text\//i.test(mediaType), response, problem, remedy);
  walkSchema(schema, (part) => demand((part.value as JsonSchema).format !== "binary", part, problem, remedy));
}

function checkBody(message: RequestBody | DocumentedResponse): void {
  const body = bodyOf(message);
  if (body === undefined) return;
  demand(body.schema.exists, body.location, "The client needs a schema of the body", "Add schema");
  checkSchema(body.schema);
}
