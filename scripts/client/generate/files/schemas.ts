/** Generates the files with the schemas that are compared with bodies at run time: of requests, responses and events. */
import {
  alternativesOf,
  type Contract,
  type DocumentedResponse,
  generalError,
  isSuccess,
  type Provenance,
  type SourceLocation,
} from "../../../contract/model/index.ts";
import { jsonBodyOf } from "../reading/bodies.ts";
import { eventBodyOf } from "../reading/facts.ts";
import { demand } from "../reading/refusal.ts";
import { SchemaWriter } from "../writing/schema-writer.ts";
import { contractTypesPath, generatedNotice, RawSource, toLiteral, toMembers } from "../writing/text.ts";

export function webhookTableSource(contract: Contract): string {
  const writer = new SchemaWriter();
  const rows = contract.webhooks.map((webhook) => {
    const { name, path, dedupeKey } = webhook;
    const schema = new RawSource(writer.write(eventBodyOf(webhook).schema));
    return [name, toLiteral({ path, schema, dedupeKey })] as const;
  });
  return `${generatedNotice}
import type { Schema, WebhookTable } from "${contractTypesPath}";

${writer.declarations()}
export const webhookTable: WebhookTable = {
${toMembers(rows)}
};
`;
}

/**
 * Provenances of operations with reliable request schemas. The other schemas are observed or proposed, so values that do not match them are
 * not refused.
 */
const reliableProvenances = new Set<Provenance | undefined>(["specification", "reference"]);

export function requestSchemasSource(contract: Contract): string {
  const writer = new SchemaWriter();
  const rows = contract.operations.flatMap(({ operationId, provenance, requestBody }) => {
    const body = requestBody && jsonBodyOf(requestBody);
    if (body === undefined) return [];
    const row = { schema: new RawSource(writer.write(body.schema)), isStated: reliableProvenances.has(provenance) };
    return [[operationId, toLiteral(row)] as const];
  });
  return `${generatedNotice}
import type { RequestSchemas, Schema } from "${contractTypesPath}";

${writer.declarations()}
export const requestSchemas: RequestSchemas = {
${toMembers(rows)}
};
`;
}

/** Of several open questions, the first is written, because a deviation names one. */
export function responseSchemasSource(contract: Contract): string {
  const writer = new SchemaWriter();
  const rows = contract.operations.map(({ operationId, responses }) => {
    const [question] = responses.filter(isSuccess).flatMap(({ location }) => questionsOf(location));
    const bodies = responses.flatMap((response): [string, RawSource][] => {
      const schema = response.codes.length === 0 ? jsonSchemaOf(response) : undefined;
      return schema === undefined ? [] : [[response.key, new RawSource(writer.write(schema))]];
    });
    return [operationId, toLiteral({ bodies: Object.fromEntries(bodies), question })] as const;
  });
  const codes = contract.errorCodes.flatMap(({ code, openQuestions: [question] }) =>
    question === undefined ? [] : [[code, JSON.stringify(question)] as const],
  );
  const openCodesQuestion = openCodesQuestionOf(contract);
  const openCodes = openCodesQuestion === undefined ? "" : `\n  openCodes: ${JSON.stringify(openCodesQuestion)},`;
  const generalSchema = contract.root.at("components", "schemas", generalError);
  const error = generalSchema.exists ? writer.write(generalSchema) : "{}";
  return `${generatedNotice}
import type { ResponseSchemas, Schema } from "${contractTypesPath}";

${writer.declarations()}
export const responseSchemas: ResponseSchemas = {
  operations: {
${toMembers(rows)}
  },
  error: ${error},
  questions: { ${codes.map(([code, text]) => `${code}: ${text}`).join(", ")} },${openCodes}
};
`;
}

/** Undefined unless all responses with an incomplete list of P-codes have one open question in common. */
function openCodesQuestionOf({ operations }: Contract): string | undefined {
  const openResponses = operations.flatMap(({ responses }) => responses.filter(({ isOpen }) => isOpen));
  const [firstQuestions = [], ...otherQuestions] = openResponses.map(({ location }) => questionsOf(location));
  return firstQuestions.find((question) => otherQuestions.every((questions) => questions.includes(question)));
}

/** Errors with any P-code, which an open response allows too, are compared with a schema of their own. */
function jsonSchemaOf(response: DocumentedResponse): SourceLocation | undefined {
  const schema = jsonBodyOf(response)?.schema;
  if (schema === undefined || !response.isOpen) return schema;
  const [alternative, ...otherAlternatives] = alternativesOf(schema).filter(
    ({ target }) => target.name !== generalError,
  );
  demand(
    otherAlternatives.length === 0,
    schema,
    `Beside ${generalError}, the client reads one schema without a P-code only`,
    "Leave out the others",
  );
  return alternative;
}

function questionsOf(location: SourceLocation): string[] {
  return location.target.texts("x-open-questions");
}
