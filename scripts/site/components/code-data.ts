import { found } from "../../base/index.ts";
import {
  type Contract,
  type DocumentedResponse,
  type ErrorCode,
  type InvalidBodyResponses,
  type Operation,
  type Provenance,
  provenances,
} from "../../contract/model/index.ts";
import { memoizeByKey } from "../content/memoize.ts";
import type { SiteContent } from "../content/site.ts";
import { requestExamples } from "../samples/request.ts";
import { listWords } from "../text/words.ts";

export interface CodePair {
  code: string;
  operation: Operation;
  response: DocumentedResponse;
  provenance: Provenance;
}

export function pairsIn(operation: Operation, responses: readonly DocumentedResponse[]): CodePair[] {
  return responses.flatMap((response) =>
    response.codeRefs.map(({ code, effectiveProvenance }) => ({
      code,
      operation,
      response,
      provenance: effectiveProvenance,
    })),
  );
}

export function pairsOf(code: string, { operations }: Pick<Contract, "operations">): CodePair[] {
  return operations.flatMap((operation) =>
    pairsIn(operation, operation.responses).filter((pair) => pair.code === code),
  );
}

/** Prefers the strongest provenance, then a documented cause, then the shortest request. */
export function strongestPair(pairs: readonly CodePair[], site: SiteContent): CodePair | undefined {
  const rank = (pair: CodePair) =>
    2 * provenances.indexOf(pair.provenance) + (causesOfPair(pair, site).length === 0 ? 1 : 0);
  const requestLength = ({ operation }: CodePair) =>
    operation.path.length +
    JSON.stringify(
      requestExamples(operation)
        .slice(0, 1)
        .map(({ example }) => example.value),
    ).length;
  return [...pairs].sort((a, b) => rank(a) - rank(b) || requestLength(a) - requestLength(b))[0];
}

/** The causes of a P-code, as Markdown. Each cause completes the sentence "Returned when …". */
export function causesOfPair({ operation, code }: CodePair, { conditions }: SiteContent): string[] {
  const { requires, parameters, requestBody } = operation;
  const invalidParameters = parameters
    .filter(({ invalidRequest }) => invalidRequest === code)
    .map(({ name }) => `\`${name}\``);
  return [
    ...requires
      .filter((requirement) => requirement.code === code)
      .map(({ condition }) => found(conditions[condition], `condition ${condition}`).otherwise),
    ...(invalidParameters.length === 0 ? [] : [`${listWords(invalidParameters, "or")} breaks its schema`]),
    ...invalidBodyCauses(requestBody?.invalidRequest, code),
  ];
}

const invalidWords = {
  mediaType: "a file has a media type that is not accepted",
  tooLarge: "a file is too large",
  alternative: "none of the parts is sent of which one is needed",
  missing: "a required part is missing",
  otherwise: "the body breaks its schema in another way",
};

function invalidBodyCauses(request: InvalidBodyResponses | undefined, code: string): string[] {
  if (request === undefined) return [];
  if (typeof request === "string") return request === code ? ["the body breaks its schema"] : [];
  const violationKinds = (Object.keys(invalidWords) as (keyof typeof invalidWords)[]).filter(
    (kind) => request[kind] === code,
  );
  const isOnlyKind = Object.keys(request).length === 1;
  return violationKinds.map((kind) =>
    kind === "otherwise" && isOnlyKind ? "the body breaks its schema" : invalidWords[kind],
  );
}

export function isOnEveryOperation({ location }: DocumentedResponse, { operations }: Contract): boolean {
  return operations.every(({ responses }) =>
    responses.some((response) => response.location.target.id === location.target.id),
  );
}

const generalShare = 0.5;

/** The P-codes with the actor `service` that at least {@link generalShare} of the areas return, not counting areas without P-codes. */
export const generalCodes = memoizeByKey(({ operations, errorCodes }: Contract): Set<string> => {
  const tagsOf = (matchesCode: (code: string) => boolean) =>
    new Set(
      operations.flatMap(({ tag, responses }) => (responses.some(({ codes }) => codes.some(matchesCode)) ? [tag] : [])),
    );
  const minTags = tagsOf(() => true).size * generalShare;
  const serviceCodes = errorCodes.filter(({ actor }) => actor === "service").map(({ code }) => code);
  return new Set(serviceCodes.filter((code) => tagsOf((candidate) => candidate === code).size >= minTags));
});

export const actorWords: Record<ErrorCode["actor"], string> = {
  developer: "Your developers",
  user: "The end user",
  payer: "The payer, an end user or you",
  operations: "Your operations team",
  service: "The service",
  nobody: "Nobody",
};

export const retryWords: Record<ErrorCode["retry"], { shortText: string; longText: string }> = {
  none: { shortText: "Not an error", longText: "Not needed: this is not an error." },
  never: { shortText: "Never", longText: "Never: a repetition does not help." },
  "after-change": { shortText: "After a change", longText: "After the request or the state has changed." },
  later: { shortText: "Later", longText: "Later: the same request may then succeed." },
  unknown: { shortText: "Unknown", longText: "It is not known whether a repetition helps." },
};

/** In words, whether a call took effect if its response has this code: from the code's retry advice, as in the client's `outcome`. */
export function effectOf({ retry }: Pick<ErrorCode, "retry">): { shortText: string; longText: string } {
  if (retry === "none") return { shortText: "Yes", longText: "Yes: the call was carried out." };
  if (retry === "never" || retry === "after-change")
    return { shortText: "No", longText: "No: the call was refused, and no money moved." };
  return {
    shortText: "Unknown",
    longText: "Unknown: money may have moved. Look for the effect before you repeat a call that moves money.",
  };
}
