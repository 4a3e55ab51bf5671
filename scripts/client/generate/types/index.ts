/** openapi-typescript generates the types; this folder makes them readable in editors. */
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import type { Contract, OpenQuestions } from "../../../contract/model/index.ts";
import { amountTypesOf } from "../reading/amounts.ts";
import { annotate, describeReferences } from "../writing/descriptions.ts";
import { contractTypesPath, generatedNotice } from "../writing/text.ts";
import { checkTypes } from "./check-types.ts";
import { nameSchemas } from "./named-schemas.ts";
import { normalizeSchemas } from "./normalize.ts";
import { makeReadable } from "./readable.ts";
import { transformSchema } from "./schema-types.ts";

const runtimeTypes = ["Absent", "DecimalInput", "FileUpload"];

export async function generateTypes(contract: Contract, questions: OpenQuestions): Promise<string> {
  const { document } = contract;
  const annotatedDocument = annotate(describeReferences(structuredClone(document), document), questions);
  normalizeSchemas(annotatedDocument);
  const amountTypes = amountTypesOf(contract);
  const nodes = await openapiTS(annotatedDocument as unknown as Parameters<typeof openapiTS>[0] & object, {
    alphabetize: false,
    // The client fills in no default.
    defaultNonNullable: false,
    // An object schema without properties accepts any members.
    emptyObjectsUnknown: true,
    rootTypes: true,
    rootTypesKeepCasing: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
    transform: (schema, options) => transformSchema(schema, options, amountTypes),
  });
  const { transformed } = ts.transform(nodes, [(context) => (node) => makeReadable(node, context, amountTypes)]);
  const text = astToString(nameSchemas(transformed, contract));
  checkTypes(text, contract);
  return `${generatedNotice}\n${importsOf(text)}${text}`;
}

/** Only what the text uses, because the compiler rejects unused imports. */
function importsOf(text: string): string {
  const usedTypes = runtimeTypes.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return usedTypes.length === 0 ? "" : `import type { ${usedTypes.join(", ")} } from "${contractTypesPath}";\n`;
}
