import ts from "typescript";
import { describe, expect, it } from "vitest";
import { found } from "../../scripts/base/index.ts";
import { declaredNames } from "../../scripts/client/generate/checks/check-names.ts";
import { lifecyclesSource } from "../../scripts/client/generate/files/lifecycles.ts";
import { operationTableSource } from "../../scripts/client/generate/files/operation-table.ts";
import { responseExamplesSource } from "../../scripts/client/generate/files/response-examples.ts";
import {
  requestSchemasSource,
  responseSchemasSource,
  webhookTableSource,
} from "../../scripts/client/generate/files/schemas.ts";
import { checkTypes } from "../../scripts/client/generate/types/check-types.ts";
import { type OpenApiDocument, readContract } from "../../scripts/contract/model/index.ts";
import { type Change, clientOf, schemasIn, smallContract } from "../support/client-of.ts";
import { contractOf, sources } from "../support/contract.ts";

type Content = Record<string, { schema: object }>;

const operationIn = ({ paths }: OpenApiDocument, path: string, method: "get" | "post" | "patch" = "get") =>
  found(paths[path]?.[method], `${method} ${path}`) as {
    operationId: string;
    responses: Record<string, { content: Content }>;
    requestBody: { content: Content };
  };
const orderIn = (document: OpenApiDocument) => operationIn(document, "/v1/order", "post");
const orderDetailsIn = (document: OpenApiDocument) => operationIn(document, "/v1/order/details/{orderId}");

/** The tables that say what bodies contain. */
async function tablesOf(change: Change = () => undefined): Promise<string[]> {
  const document = await smallContract();
  change(document);
  const contract = readContract(document, sources.registers());
  const makers = [
    operationTableSource,
    requestSchemasSource,
    responseSchemasSource,
    lifecyclesSource,
    webhookTableSource,
    responseExamplesSource,
  ];
  return makers.map((makeSource) => makeSource(contract));
}

let changedClientFiles: Promise<Record<string, string>> | undefined;

/** One client with the changes of three tests, because generating it takes time. */
function changedClient(): Promise<Record<string, string>> {
  changedClientFiles ??= clientOf((document) => {
    const { P403, TransferRequest, OrderDetails } = schemasIn(document) as Record<string, Record<string, object>>;
    const [choice] = found(TransferRequest, "TransferRequest").allOf as Record<string, unknown>[];
    renameKey(choice ?? {}, "anyOf", "oneOf");
    Object.assign(P403?.["x-error"] ?? {}, { meaning: "Invalid */ \n data" });
    Object.assign(orderIn(document), {
      parameters: [{ name: "page", in: "query", schema: { type: "integer" }, example: [1, 2] }],
    });
    Object.assign(orderIn(document), { deprecated: true, "x-deprecation": { reason: "Slow:\nuse another." } });
    const values = { KNOWN: { meaning: "a value that is described" } };
    Object.assign(orderIn(document).responses, { 500: { description: "Failed, e.g. late. Wait." } });
    const kind = { $ref: "#/components/schemas/TransactionType", description: "Its own text." };
    const note = { type: ["string", "null"], "x-open-enum": values, default: null };
    const count = { type: "integer", format: "int32", readOnly: true };
    Object.assign(OrderDetails?.properties ?? {}, {
      example: { type: "string", "x-open-enum": values },
      kind,
      note,
      count,
    });
  });
  return changedClientFiles;
}

function renameKey(object: Record<string, unknown>, from: string, to: string): void {
  object[to] = object[from];
  delete object[from];
}

it("compares media types without regard to case and parameters", async () => {
  const changeType = ({ content }: { content: Content }) =>
    renameKey(content, "application/json", "Application/JSON; charset=utf-8");
  const tables = await tablesOf((document) => {
    const { responses, requestBody } = orderIn(document);
    changeType(requestBody);
    changeType(found(responses[201], "response"));
    changeType(found(orderDetailsIn(document).responses[200], "response"));
    changeType(found(document.webhooks?.orderStatus?.post?.requestBody, "event") as { content: Content });
  });
  expect(tables).toEqual(await tablesOf());
});

it("reads a schema that is only a reference like its target", async () => {
  const [operationTable] = await tablesOf((document) => {
    Object.assign(schemasIn(document), { Alias: { $ref: "#/components/schemas/Message" } });
    const { responses } = operationIn(document, "/v1/card/pin", "patch");
    found(responses[200]?.content["application/json"], "body").schema = { $ref: "#/components/schemas/Alias" };
  });
  expect(operationTable).toBe((await tablesOf())[0]);
});

it.each<[form: string, change: (request: Record<string, unknown>, schemas: Record<string, object>) => void]>([
  [
    "by reference",
    (request, schemas) => {
      schemas.TBase = { ...request };
      for (const key of Object.keys(request)) delete request[key];
      request.allOf = [{ $ref: "#/components/schemas/TBase" }];
    },
  ],
  [
    "beside the properties",
    (request) => {
      Object.assign(request, (request.allOf as object[])[0]);
      delete request.allOf;
    },
  ],
  ["with oneOf", ({ allOf }) => renameKey((allOf as Record<string, unknown>[])[0] ?? {}, "anyOf", "oneOf")],
])("knows the members that change the meaning of a call if the alternatives are written %s", async (_form, change) => {
  const [operationTable] = await tablesOf((document) => {
    const schemas = schemasIn(document);
    change(schemas.TransferRequest as Record<string, unknown>, schemas);
  });
  expect(operationTable).toBe((await tablesOf())[0]);
});

it("lets a call have one of the alternatives of oneOf only", async () => {
  const { "types.ts": types = "" } = await changedClient();
  const [, alternatives] = /export type TransferRequest = .*?\} & \((.*?)\);/s.exec(types) ?? [];
  expect(alternatives?.match(/\w+\??: \w+/g)).toEqual([
    ...["sourceExternalUserId: ExternalUserId", "destinationExternalUserId?: Absent"],
    ...["sourceExternalUserId?: Absent", "destinationExternalUserId: ExternalUserId"],
  ]);
});

it.each<[schema: object, field: string]>([
  [{ allOf: [{ $ref: "#/components/schemas/Num" }] }, "orderId number"],
  [{ enum: [1, "one"] }, "orderId number string"],
  [{ type: ["string", "null"], minLength: 1, enum: ["one"] }, "orderId"],
  [{ oneOf: [{ type: "array" }, { const: true }] }, "orderId object boolean"],
])("knows the types of a required member: %j", async (schema, field) => {
  const [operationTable] = await tablesOf((document) => {
    const schemas = schemasIn(document);
    schemas.Num = { type: "integer" };
    (schemas.OrderCreated as { properties: Record<string, object> }).properties.orderId = schema;
  });
  expect(operationTable).toContain(`required: { 201: ["${field}"] }`);
});

it("writes the name of a property with leading zeros as a text", async () => {
  const tables = await tablesOf((document) =>
    Object.assign((schemasIn(document).OrderDetails as { properties: object }).properties, {
      "007": { type: "string" },
    }),
  );
  expect(tables.join("")).toContain('"007": { type: "string" }');
});

it("compares a property with the name of the prototype", async () => {
  const tables = await tablesOf((document) => {
    const properties = JSON.parse('{ "__proto__": { "type": "string" } }');
    Object.assign(schemasIn(document).Message ?? {}, { properties, required: [] });
  });
  expect(tables.join("")).toContain('properties: { ["__proto__"]: { type: "string" } }');
});

it("keeps the keywords beside each reference of a chain", async () => {
  const tables = await tablesOf((document) => {
    const { properties } = schemasIn(document).OrderDetails as { properties: object };
    const allOf = [{ minLength: 5 }];
    Object.assign(schemasIn(document), { ShortText: { $ref: "#/components/schemas/Uuid", allOf, maxLength: 17 } });
    Object.assign(properties, { short: { $ref: "#/components/schemas/ShortText" } });
  });
  expect(tables.join("")).toContain("const ShortText: Schema = { allOf: [Uuid, { minLength: 5 }], maxLength: 17 };");
});

it("allows no value under a schema that is false", async () => {
  const tables = await tablesOf((document) => {
    Object.assign(schemasIn(document).OrderCreated ?? {}, { additionalProperties: false });
  });
  expect(tables.join("")).toMatch(/const OrderCreated: .* additionalProperties: \{ not: \{\} \}/);
});

it("waits for the final status in a response with any status of success", async () => {
  const tables = await tablesOf((document) => renameKey(orderDetailsIn(document).responses, "200", "203"));
  expect(tables.join("")).toContain('getOrderDetails: { operation: table.getOrderDetails, field: "status", final:');
});

it("keeps the meaning of a P-code in its comment, and types an optional parameter", async () => {
  const { "operations.ts": operations } = await changedClient();
  expect(operations).toContain("/** P403: Invalid *\\/ data. */");
  expect(operations).toContain(" * - 500: Failed, e.g. late.\n");
  expect(operations).toContain("@example [1,2]");
  expect(operations).toContain(" * @deprecated Slow:\n * use another.");
  expect(operations).toContain('page?: NonNullable<operations["createOrder"]["parameters"]["query"]>["page"];');
});

it("types a property with a default, which can be missing, null beside listed values, and readOnly", async () => {
  const { "types.ts": types } = await changedClient();
  expect(types).toContain('note?: "KNOWN" | null | (string & Record<never, never>);');
  expect(types).toMatch(/readonly count\?: number;/);
});

it("describes the values of a property that has the name of a keyword, and of a reference with a description", async () => {
  const { "types.ts": types } = await changedClient();
  expect(types).toContain("- `KNOWN`: a value that is described");
  expect(types).toContain("     * Its own text.\n     *\n     * Known values:\n");
});

describe("a contract from which no correct client follows is refused:", () => {
  it.each<[problem: string, change: Change, message: string]>([
    [
      "a request that is neither JSON nor a form",
      (document) => renameKey(orderIn(document).requestBody.content, "application/json", "text/plain"),
      "/requestBody/content/text~1plain: The client sends application/json and multipart/form-data only.",
    ],
    [
      "an open response with two schemas without a P-code",
      (document) => {
        const names = ["GeneralError", "Message", "OrderDetails"];
        const schema = { oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) };
        orderIn(document).responses[400] = { content: { "application/json": { schema } } };
      },
      "Beside GeneralError, the client reads one schema without a P-code only.",
    ],
    [
      "successes with different media types",
      (document) => {
        const { responses } = orderDetailsIn(document);
        responses[202] = { content: { "text/html": { schema: { type: "string" } } } };
      },
      "get: The successes have several media types: application/json, text/html.",
    ],
    [
      "a required member of a response without a type",
      (document) => Object.assign(schemasIn(document).OrderCreated ?? {}, { properties: { orderId: {} } }),
      "/schema: The client checks orderId, whose type is not stated. State its type.",
    ],
    [
      "a required member of a response with a space in its name",
      (document) => Object.assign(schemasIn(document).OrderCreated ?? {}, { required: ["order id"] }),
      '/schema: The client cannot check the required member "order id". Leave it out of required.',
    ],
    [
      "a required member of a response without a property",
      (document) => Object.assign(schemasIn(document).OrderCreated ?? {}, { required: ["rate"] }),
      "/schema: The client checks rate, which required lists and properties does not. Add it to properties, or leave",
    ],
    [
      "two patterns of a path parameter",
      (document) => {
        const schema = { type: "string", pattern: "^a", allOf: [{ pattern: "b$" }] };
        Object.assign(orderDetailsIn(document), { parameters: [{ name: "orderId", in: "path", schema }] });
      },
      "/allOf/0/pattern: The client checks one pattern of the path parameter orderId only. Join",
    ],
    [
      "a status in two members of its resource",
      (document) => {
        const { properties } = schemasIn(document).OrderDetails as { properties: Record<string, unknown> };
        properties.state = properties.status;
      },
      "returns the status OrderStatus in status and state. Have one field of this schema.",
    ],
    [
      "two successes that have an example of one name",
      (document) => {
        const { responses } = orderIn(document);
        responses[202] = structuredClone(found(responses[201], "response"));
      },
      "#/paths/~1v1~1order/post: Two successes have an example ",
    ],
  ])("%s", async (_problem, change, message) => {
    await expect(tablesOf(change)).rejects.toThrow(message);
  });

  it.each<[problem: string, change: Change, message: string]>([
    [
      "a schema whose name is no identifier",
      (document) => Object.assign(schemasIn(document), { "User-v2": {} }),
      '#/components/schemas/User-v2: "User-v2" cannot be a name in TypeScript.',
    ],
    [
      "an operation without a name",
      (document) => Object.assign(orderIn(document), { operationId: undefined }),
      "#/paths/~1v1~1order/post: The client needs an operationId, which names its function.",
    ],
    ...["delete", "arguments", "get", "type"].map((operationId): [string, Change, string] => [
      `an operation with the name ${operationId}`,
      (document) => Object.assign(orderIn(document), { operationId }),
      `#/paths/~1v1~1order/post: The client names nothing "${operationId}", which has a meaning in TypeScript. Choose`,
    ]),
    [
      "an open question that is not in the register",
      (document) => Object.assign(schemasIn(document).OrderRequest as object, { "x-open-questions": ["Q-absent"] }),
      "#/components/schemas/OrderRequest/x-open-questions: There is no open question Q-absent. Add it to openapi/open-questions.yaml",
    ],
    [
      "a range of statuses",
      (document) => renameKey(orderDetailsIn(document).responses, "200", "2XX"),
      '/responses/2XX: The client needs one status for each response. Write one, such as "200".',
    ],
    ..."Outcome Decimal CreateTransferResult Client Operation Schema NonNullable createOrder"
      .split(" ")
      .map((name): [string, Change, string] => [
        `a schema with the name ${name}, which the client has`,
        (document) => Object.assign(schemasIn(document), { [name]: { type: "object" } }),
        `#/components/schemas/${name}: The client has ${name} for itself. Choose another name for the schema.`,
      ]),
    ...[
      ["BlockCard", "block/patch: generated/client/operations.ts would have two meanings of BlockCardOptions."],
      ["table", "pin/patch: generated/client/operations.ts would have two meanings of table."],
      ["call", "pin/patch: generated/client/operations.ts would have two meanings of call."],
    ].map(([operationId, message]): [string, Change, string] => [
      `an operation ${operationId}, whose name or types the client has for others`,
      (document) => Object.assign(operationIn(document, "/v1/card/pin", "patch"), { operationId }),
      `#/paths/~1v1~1card~1${message}`,
    ]),
    [
      "a parameter in a header",
      (document) =>
        Object.assign(orderIn(document), { parameters: [{ name: "trace", in: "header", schema: { type: "string" } }] }),
      "order/post/parameters/0: The client sends parameters in the path and the query only.",
    ],
    [
      "an optional request body",
      (document) => Object.assign(orderIn(document).requestBody, { required: false }),
      "/requestBody: The client always sends the body. Write required: true.",
    ],
    [
      "a request with two media types",
      (document) => Object.assign(orderIn(document).requestBody.content, { "text/plain": { schema: {} } }),
      "post/requestBody: The client reads and writes one media type, not application/json, text/plain.",
    ],
    [
      "a response with two media types",
      (document) => Object.assign(orderIn(document).responses[201]?.content ?? {}, { "text/plain": { schema: {} } }),
      "post/responses/201: The client reads and writes one media type, not application/json, text/plain.",
    ],
    [
      "a request body without a schema",
      (document) => Object.assign(orderIn(document).requestBody.content, { "application/json": {} }),
      "/requestBody/content/application~1json: The client needs a schema of the body.",
    ],
    [
      "a file in a response",
      (document) => {
        const { properties } = schemasIn(document).OrderCreated as { properties: object };
        Object.assign(properties, { receipt: { type: "string", format: "binary" } });
      },
      "OrderCreated/properties/receipt: The client reads JSON and texts only, without format: binary.",
    ],
    [
      "a response that is neither JSON nor text",
      (document) => renameKey(orderIn(document).responses[201]?.content ?? {}, "application/json", "image/png"),
      "/responses/201: The client reads JSON and texts only",
    ],
    ...[
      [
        { anyOf: [{ $ref: "#/components/schemas/OrderRequest" }, { type: "string" }] },
        "The client cannot read #/components/schemas/OrderRequest, which contains itself.",
      ],
      [{ $ref: "#/components/schemas/Missing" }, "finds no schema #/components/schemas/Missing."],
      [
        { $ref: "#/components/schemas/OrderDetails/properties/status" },
        "needs a name for #/components/schemas/OrderDetails/properties/status.",
      ],
      [
        { type: "object", properties: { a: { type: "string" } }, additionalProperties: { type: "integer" } },
        "has no type for properties beside a schema of additionalProperties.",
      ],
      [{ type: "integer", "x-open-enum": { 1: { meaning: "one" } } }, "The client reads x-open-enum of strings only."],
      [
        { $ref: "#/components/schemas/Uuid", type: ["string", "null"] },
        "has no type for type beside $ref. Write both under allOf.",
      ],
      [{ type: "string", nullable: true }, '/nullable: The client does not know the keyword nullable. Add "null" to'],
      [{ const: { a: 1 } }, "compares no objects and lists with const."],
      [{ type: "string", pattern: "\\-" }, "/pattern: Invalid regular expression: "],
    ].map(([schema, message]): [string, Change, string] => [
      `the schema ${JSON.stringify(schema)}`,
      (document) => {
        const { properties } = schemasIn(document).OrderRequest as { properties: Record<string, unknown> };
        properties.part = schema;
      },
      message as string,
    ]),
    ...[
      [{ in: "query", style: "pipeDelimited", schema: { type: "array" } }, "writes parameters in the default style."],
      [
        { in: "query", content: { "application/json": { schema: {} } } },
        "needs a schema of the parameter. Write it in place of content.",
      ],
      [{ in: "query", schema: { type: "object" } }, "/schema: The client sends no object in the query."],
      [{ in: "path", required: true, schema: { type: "string" } }, "The client needs the parameters of /v1/order."],
    ].map(([parameter, message]): [string, Change, string] => [
      `the parameter ${JSON.stringify(parameter)}`,
      (document) => Object.assign(orderIn(document), { parameters: [{ name: "page", ...(parameter as object) }] }),
      message as string,
    ]),
    [
      "a success without a body",
      (document) => Object.assign(orderIn(document).responses, { 204: { description: "The order is placed." } }),
      "/responses/204: The client reads a success without a body as an error. Describe its body",
    ],
    [
      "an operation without a success",
      (document) => {
        delete orderIn(document).responses[201];
      },
      "order/post: The client needs a response with a status of success, such as 200.",
    ],
    [
      "a method that fetch cannot call",
      (document) => renameKey(found(document.paths["/v1/order"], "path"), "post", "trace"),
      "order/trace: The client calls GET, PUT, POST, DELETE and PATCH only.",
    ],
    [
      "a body of GET",
      (document) => Object.assign(orderDetailsIn(document), { requestBody: orderIn(document).requestBody }),
      "get/requestBody: The client cannot send a body with GET.",
    ],
    ...["explain", "match", "toDecimal", "createClient", "edition"].map((operationId): [string, Change, string] => [
      `an operation with the name ${operationId}, which the client has`,
      (document) => Object.assign(orderIn(document), { operationId }),
      `order/post: The client has ${operationId} for itself. Choose another operationId.`,
    ]),
    [
      "two operations with one name",
      (document) => Object.assign(orderDetailsIn(document), { operationId: "createOrder" }),
      "get: The client has another operation createOrder. Choose another operationId.",
    ],
    [
      "a webhook with two methods",
      (document) => {
        const item = found(document.webhooks?.orderStatus, "webhook");
        item.put = found(item.post, "POST");
      },
      "#/webhooks/orderStatus/put: The client receives webhooks by POST only.",
    ],
    [
      "a P-code beside a schema without a P-code",
      (document) => {
        const schema = { oneOf: ["P403", "Message"].map((name) => ({ $ref: `#/components/schemas/${name}` })) };
        orderIn(document).responses[400] = { content: { "application/json": { schema } } };
      },
      "/responses/400/content/application~1json/schema: The client reads only GeneralError beside P-codes.",
    ],
    ...["properties", "items"].map((keyword): [string, Change, string] => [
      `an amount under ${keyword} of a member of a body`,
      (document) => {
        const amount = { $ref: "#/components/schemas/RequestAmount" };
        const part = { [keyword]: keyword === "items" ? amount : { amount } };
        Object.assign((schemasIn(document).OrderRequest as { properties: object }).properties, { part });
      },
      `${keyword === "items" ? "items" : "properties/amount"}: The client writes RequestAmount in parameters and direct members of a body only.`,
    ]),
  ])("%s", async (_problem, change, message) => {
    await expect(clientOf(change)).rejects.toThrow(message);
  });

  it("an operation with two statuses that can change", async () => {
    const contract = await contractOf("test");
    const order = found(
      contract.resources.find(({ name }) => name === "order"),
      "order",
    );
    const resources = [...contract.resources, { ...order, name: "copy" }];
    expect(() => lifecyclesSource({ ...contract, resources })).toThrow(
      "openapi/resources.yaml#/order/details: getOrderDetails returns two statuses that can change, but waitUntilFinal waits for one.",
    );
  });
});

it("finds without parsing the names that the generated files declare", async () => {
  for (const [file, text] of Object.entries(await changedClient())) {
    const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
    const declarations = statements.filter((statement) => !ts.isImportDeclaration(statement));
    const nameOf = (statement: ts.Statement) =>
      (ts.isVariableStatement(statement)
        ? statement.declarationList.declarations[0]
        : (statement as ts.InterfaceDeclaration)
      )?.name.getText() ?? "";
    expect(declaredNames(text)).toEqual(declarations.map(nameOf));
  }
});

it("refuses at its place a schema that has no type in types.ts", async () => {
  const contract = await contractOf("test");
  const [schema] = contract.root
    .child("components", "schemas")
    .entries()
    .map(([name]) => name);
  expect(() => checkTypes("", contract)).toThrow(
    `#/components/schemas/${schema}: The client has no type for ${schema}. State the type of the schema, or make it a component.`,
  );
});
