/** The OpenAPI 3.0 form of a published document, for tools that do not read 3.1. */
import { Converter } from "@apiture/openapi-down-convert";
import { omit } from "../../../base/index.ts";
import {
  generalError,
  isRef,
  type JsonSchema,
  type MediaTypeObject,
  type OpenApiDocument,
  pointerOf,
  type ResponseObject,
  SourceLocation,
  valueAt,
  visitObjects,
} from "../../model/index.ts";
import { removeUnused } from "../components.ts";
import { questionTexts } from "../standard-keywords.ts";
import { writeSentences } from "./copy-schema.ts";
import { type ExampleTypes, inlineExamples } from "./inline-examples.ts";
import { descriptionWithCodes, schemasOfUncodedErrors } from "./open-errors.ts";
import { simplify } from "./simplify-schemas.ts";

const formNotice = `

**This is the OpenAPI 3.0 form**, made from the 3.1 document with openapi-down-convert for tools that do not read 3.1. It says less, so that
such tools can use it. A set of known values is a \`string\` with \`x-extensible-enum\`. A value of which two types are possible has the
type that the examples show, and its description names the others. A reference with something beside it is a copy of what it refers to;
marks of the references in a choice are marks of the choice. The errors of a response that is open to other codes are one schema, and its
description lists the known codes. Conditions between the fields of a body (\`if\`, \`dependentRequired\`, one of two fields that is
required) and all examples of a schema but the first are left out. A P-code, a constant in 3.1, is an \`enum\` of one value. The webhooks
are under \`x-webhooks\`. Where the two differ, the 3.1 document is right.
`;

export function toOpenApi30(publishedDocument: OpenApiDocument): OpenApiDocument {
  const source = omit(structuredClone(publishedDocument), "jsonSchemaDialect");
  const exampleTypes = inlineExamples(source);
  const { webhooks, ...document } = withSimplifiedSchemas(source, exampleTypes);
  delete document.info.summary;
  document.info.description = `${document.info.description ?? ""}${formNotice}`;
  if (webhooks !== undefined) Object.assign(document, { "x-webhooks": webhooks });
  const convertedDocument = new Converter(document).convert() as OpenApiDocument;
  removeUnused(convertedDocument);
  const questions = convertedDocument["x-questions"];
  if (questions !== undefined) {
    delete convertedDocument["x-questions"];
    convertedDocument["x-questions"] = questionTexts(convertedDocument, questions);
  }
  return convertedDocument;
}

function withSimplifiedSchemas(document: OpenApiDocument, exampleTypes: ExampleTypes): OpenApiDocument {
  const root = SourceLocation.ofDocument(document);
  const context = { root, exampleTypes };
  const form = structuredClone(document);
  const components = root.child("components", "schemas").children();
  const schemas = Object.fromEntries(components.map(([name, schema]) => [name, simplify(schema, context)]));
  Object.assign(form.components ?? {}, {
    schemas: { ...schemas, ...schemasOfUncodedErrors(schemas[generalError], document) },
  });
  visitObjects(document, (object, path) => {
    const { schema, content } = object as Partial<MediaTypeObject & ResponseObject>;
    const formObject = () => valueAt(form, pointerOf(path)) as object;
    if (schema !== undefined)
      Object.assign(formObject(), moveMarksOut(simplify(root.child(...path, "schema"), context)));
    if (content !== undefined) Object.assign(formObject(), descriptionWithCodes(object as ResponseObject, document));
  });
  visitObjects(form, (object) => writeSentences(object as JsonSchema));
  return form;
}

/**
 * If a reference has only `x-` keys beside it, moves these keys to the object that contains the schema: code generators use the name of the
 * component only for a reference that stands alone.
 */
function moveMarksOut(schema: JsonSchema): object {
  if (!isRef(schema)) return { schema };
  const { $ref, ...siblings } = schema;
  const marks = Object.entries(siblings).filter(([key]) => key.startsWith("x-"));
  return marks.length === Object.keys(siblings).length
    ? { schema: { $ref }, ...Object.fromEntries(marks) }
    : { schema };
}
