import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ResponseObject,
} from "../../scripts/contract/model/index.ts";
import { propertiesOf, requiredOf } from "../support/schema.ts";
import { bodyDifferences, differenceUnless } from "./compare-bodies.ts";
import type { Elements } from "./elements.ts";
import { errorFormat, errors } from "./stated-errors.ts";
import { failuresOf, type OperationRows, type StatedResponse } from "./stated-operations.ts";
import { cellsOf, transaction, transactionStatuses } from "./stated-records.ts";

export function responseDifferences(elements: Elements, operation: OperationObject, rows: OperationRows): string[] {
  const responses = operation.responses as Record<string, ResponseObject>;
  const failures = failuresOf(rows);
  const expectedStatuses = [...rows.success.map(({ status }) => String(status)), ...failures.keys()].sort();
  const foundStatuses = Object.keys(responses).sort();
  const schemaOf = (status: number | string) => responses[status]?.content?.["application/json"]?.schema;
  return [
    ...differenceUnless(
      foundStatuses.join() === expectedStatuses.join(),
      `the statuses are ${foundStatuses.join(", ")}`,
      rows.errors,
    ),
    ...rows.success.flatMap((response) =>
      successDifferences(elements, schemaOf(response.status), rows.operationId, response),
    ),
    ...[...failures].flatMap(([status, codes]) => {
      const listedCodes = codesOf(schemaOf(status));
      return differenceUnless(
        listedCodes.join() === [...codes].sort().join(),
        `${status} has the codes ${listedCodes.join(", ")}`,
        rows.errors,
      );
    }),
  ];
}

function successDifferences(
  elements: Elements,
  schema: JsonSchema | undefined,
  id: string,
  response: StatedResponse,
): string[] {
  const { quote, status } = response;
  if (schema === undefined) return [`${status} has no JSON body <- ${quote}`];
  if ("code" in response)
    return differenceUnless(codesOf(schema).join() === response.code, `${status} has other codes`, quote);
  const name = `${id} ${status}`;
  if ("record" in response) return bodyDifferences({ name, schema, fields: response.record, elements });
  if (schema.type !== "array") return [`${status} is no array <- ${quote}`];
  const differences = bodyDifferences({ name, schema: schema.items as JsonSchema, fields: response.array, elements });
  return response.array === transaction ? [...differences, ...meaningDifferences(schema)] : differences;
}

function codesOf(schema: JsonSchema | undefined): string[] {
  const branches = (schema?.oneOf as JsonSchema[] | undefined) ?? (schema === undefined ? [] : [schema]);
  return branches.flatMap((branch) => (propertiesOf(branch).errorCode?.const as string | undefined) ?? []).sort();
}

function meaningDifferences(transactionList: JsonSchema): string[] {
  const text = JSON.stringify(transactionList).replaceAll(/\s+/g, " ");
  const fallback = differenceUnless(
    /generic fallback/i.test(text),
    "nothing says what the type transaction is",
    "transaction (generic fallback)",
  );
  return [
    ...fallback,
    ...transactionStatuses.flatMap((line) => {
      const [value, meaning = ""] = cellsOf(line);
      const words = meaning.replace(/ \(.*/, "");
      const hasMeaning = new RegExp(`"${value}":\\{"meaning":"${words}`, "i").test(text);
      const isNamed = !meaning.includes("Update Travel Rule") || text.includes("Update Travel Rule");
      return [
        ...differenceUnless(hasMeaning, `${value} means something else`, line),
        ...differenceUnless(isNamed, `${value} does not name Update Travel Rule`, line),
      ];
    }),
  ];
}

export function errorCodeDifferences(document: OpenApiDocument): string[] {
  const schemas = (document.components?.schemas ?? {}) as Record<string, JsonSchema>;
  const codes = errors.filter(({ code }) => code !== "none");
  const markedCodes = Object.keys(schemas).filter(
    (name) => /^P\d{3}$/.test(name) && schemas[name]?.["x-provenance"] === "specification",
  );
  return [
    ...markedCodes.filter((name) => codes.every(({ code }) => code !== name)).map((name) => `${name} counts as stated`),
    ...codes.flatMap(({ line, status, code, meaning }) => {
      const schema = schemas[code];
      const error = schema?.["x-error"];
      if (schema === undefined || error === undefined) return [`${code} is missing <- ${line}`];
      const requiredFields = requiredOf(schema);
      // P213 is not an error: the specification states only its code, not its body.
      const expectedFields = status < 400 ? ["errorCode"] : errorFormat.fields;
      return [
        ...differenceUnless(error.status === status, `${code} has the status ${error.status}`, line),
        ...differenceUnless(error.meaning === meaning, `${code} means "${error.meaning}"`, line),
        ...differenceUnless(markedCodes.includes(code), `${code} counts as ${schema["x-provenance"]}`, line),
        ...differenceUnless(
          expectedFields.every((field) => requiredFields.includes(field)),
          `${code} requires ${requiredFields.join(", ")}`,
          errorFormat.quote,
        ),
        ...differenceUnless(
          requiredFields.every((field) => expectedFields.includes(field)) || schema["x-open-questions"] !== undefined,
          `${code} requires ${requiredFields.join(", ")}`,
          line,
        ),
      ];
    }),
  ];
}
