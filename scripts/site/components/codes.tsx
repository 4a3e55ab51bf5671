import {
  type Condition,
  type Contract,
  type DocumentedResponse,
  type ErrorCode,
  type InvalidBodyResponses,
  type Operation,
  type Provenance,
  provenanceAt,
  provenances,
} from "../../contract/model/index.ts";
import { requestExamples } from "../samples/request.ts";
import { memoizeByKey } from "../site/memoize.ts";
import type { SiteContent } from "../site/site.ts";
import { errorOf, failuresOf } from "../site/subjects.ts";
import { linksTo } from "../text/links.ts";
import { listWords } from "../text/words.ts";
import { Link } from "./link.tsx";
import { isWeak, weakMark } from "./marks.tsx";
import { EditionNote, editionMark } from "./operation-table.tsx";
import { useHrefs, usePage } from "./page-context.ts";
import { InlineProse, Prose } from "./prose.tsx";
import { list, Table } from "./table.tsx";

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

/** The pair with the strongest provenance; among equals, a pair with a documented cause, then the pair with the shortest request. */
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
      .map(({ condition }) => (conditions[condition] as Condition).otherwise),
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

export function PairList({ pairs }: { pairs: readonly CodePair[] }) {
  const { site } = usePage();
  const causesIn = (pair: CodePair) => listWords(causesOfPair(pair, site), "or");
  const haveSameCause = new Set(pairs.map(causesIn).filter((causes) => causes !== "")).size < 2;
  const sortedPairs = [...pairs].sort((a, b) => Number(isWeak(a.provenance)) - Number(isWeak(b.provenance)));
  return (
    <>
      <EditionNote operations={pairs.map(({ operation }) => operation)} />
      {list(
        sortedPairs,
        (pair) => (
          <>
            <Link to="operation" name={pair.operation.name} provenance={pair.provenance} />
            {!haveSameCause && causesIn(pair) !== "" && <InlineProse text={`: when ${causesIn(pair)}.`} />}
          </>
        ),
        { class: "pairs", attributesOf: ({ operation }) => editionMark(operation) },
      )}
    </>
  );
}

export function CodeTable({ pairs }: { pairs: readonly CodePair[] }) {
  const { contract } = usePage().site;
  return (
    <Table
      class="codes"
      rows={pairs}
      columns={{
        Code: ({ code, provenance, operation }) => (
          <Link to="error" name={code} provenance={provenance} baseProvenance={operation.provenance ?? "proposed"} />
        ),
        Status: ({ response }) => response.key,
        Meaning: (pair) => <InlineProse text={errorOf(pair.code, contract).meaning} />,
        "What to do": (pair) => <Resolution error={errorOf(pair.code, contract)} />,
      }}
    />
  );
}

export function Resolution({ error }: { error: ErrorCode }) {
  const { resolution, resolvedBy } = error;
  return (
    <>
      <InlineProse text={resolution} />{" "}
      {resolvedBy.length > 0 && <InlineProse class="quiet" text={`Call: ${linksTo("operation", resolvedBy, "or")}.`} />}
    </>
  );
}

export function Failures({ operation }: { operation: Operation }) {
  const { contract } = usePage().site;
  const { method, provenance = "proposed" } = operation;
  const failures = failuresOf(operation);
  const generalCodeSet = generalCodes(contract);
  const pairs = pairsIn(operation, failures);
  const generalPairs = pairs.filter(({ code }) => generalCodeSet.has(code));
  const specificPairs = pairs.filter(({ code }) => !generalCodeSet.has(code));
  const responsesWithoutCode = failures.filter(({ codes }) => codes.length === 0);
  const commonResponses = responsesWithoutCode.filter((response) => isOnEveryOperation(response, contract));
  const specificResponses = responsesWithoutCode.filter((response) => !commonResponses.includes(response));
  return (
    <>
      <SpecificCodes pairs={specificPairs} />
      {list(
        specificResponses,
        ({ key, description, effectiveProvenance }) => (
          <InlineProse text={`**${key}**: ${description}${weakMark(effectiveProvenance, provenance)}`} />
        ),
        { class: "general", attributesOf: ({ key }) => ({ id: `response-${key}` }) },
      )}
      <CommonErrors operation={operation} pairs={generalPairs} responses={commonResponses} />
      {method !== "get" && (
        <Prose text="When no response arrives, the call may have been carried out all the same: [look before you repeat it](guide:unknown-outcomes)." />
      )}
    </>
  );
}

function isOnEveryOperation({ location }: DocumentedResponse, { operations }: Contract): boolean {
  return operations.every(({ responses }) =>
    responses.some((response) => response.location.target.id === location.target.id),
  );
}

/** The codes that a document states for the operation, then the codes that no document states for it. */
function SpecificCodes({ pairs }: { pairs: readonly CodePair[] }) {
  const statedPairs = pairs.filter(({ provenance }) => !isWeak(provenance));
  const unstatedPairs = pairs.filter(({ provenance }) => isWeak(provenance));
  return (
    <>
      {statedPairs.length > 0 && <CodeTable pairs={statedPairs} />}
      {unstatedPairs.length > 0 && (
        <>
          <p>{statedPairs.length > 0 ? "May also occur" : "May occur"}; no document states it of this operation:</p>
          <CodeTable pairs={unstatedPairs} />
        </>
      )}
    </>
  );
}

interface CommonErrorsProps {
  operation: Operation;
  pairs: readonly CodePair[];
  responses: readonly DocumentedResponse[];
}

function CommonErrors({ operation, pairs, responses }: CommonErrorsProps) {
  const hrefs = useHrefs();
  const codes = pairs.map(({ code }) => code);
  const statuses = responses.map(({ key }) => key);
  return (
    <p>
      {codes.length > 0 && (
        <InlineProse text={`Like most operations, it can return ${linksTo("error", codes, "or")}.`} />
      )}{" "}
      {operation.responses.some(({ isOpen }) => isOpen) && "Other codes may occur. "}
      <a href={hrefs.page({ kind: "errors" })}>{["All codes", ...statuses].join(", ")} and the form of an error</a>
    </p>
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

/** Whether a call took effect if its response has this code; derived from the code's retry advice, as in the client's `outcome`. */
export function effectOf({ retry }: Pick<ErrorCode, "retry">): { shortText: string; longText: string } {
  if (retry === "none") return { shortText: "Yes", longText: "Yes: the call was carried out." };
  if (retry === "never" || retry === "after-change")
    return { shortText: "No", longText: "No: the call was refused, and no money moved." };
  return {
    shortText: "Unknown",
    longText: "Unknown: money may have moved. Look for the effect before you repeat a call that moves money.",
  };
}

export function ErrorTable() {
  return (
    <Table
      class="codes"
      rows={usePage().site.contract.errorCodes}
      columns={{
        Code: ({ code, provenance = "proposed" }) => <Link to="error" name={code} provenance={provenance} />,
        Status: ({ status }) => status,
        Meaning: ({ meaning }) => <InlineProse text={meaning} />,
        "Took effect": (error) => effectOf(error).shortText,
        "Who acts": ({ actor }) => actorWords[actor],
        Retry: ({ retry }) => retryWords[retry].shortText,
      }}
    />
  );
}

export function CodesOf({ operationIds }: { operationIds: readonly string[] }) {
  const { contract } = usePage().site;
  const generalCodeSet = generalCodes(contract);
  const operations = contract.operations.filter(({ operationId }) => operationIds.includes(operationId));
  const pairsOfCode = (code: string) => pairsOf(code, { operations });
  const strongestProvenance = (code: string) =>
    provenances.find((name) => pairsOfCode(code).some((pair) => pair.provenance === name));
  return (
    <Table
      class="codes"
      rows={contract.errorCodes.filter(({ code }) => !generalCodeSet.has(code) && pairsOfCode(code).length > 0)}
      columns={{
        Code: ({ code }) => <Link to="error" name={code} provenance={strongestProvenance(code)} />,
        Meaning: ({ meaning }) => <InlineProse text={meaning} />,
        "What to do": ({ resolution }) => <InlineProse text={resolution} />,
        "Returned by": operations.length > 1 ? ({ code }) => operationLinks(pairsOfCode(code)) : undefined,
      }}
    />
  );
}

export function ErrorsWithoutCode() {
  const { operations } = usePage().site.contract;
  const kinds = new Map<string, { response: DocumentedResponse; operationEntries: { operation: Operation }[] }>();
  for (const operation of operations) {
    for (const response of failuresOf(operation)) {
      if (response.codes.length > 0) continue;
      const key = `${response.status} ${response.description}`;
      const { operationEntries } = kinds.get(key) ?? { operationEntries: [] };
      kinds.set(key, { response, operationEntries: [...operationEntries, { operation }] });
    }
  }
  return (
    <Table
      rows={[...kinds.values()]}
      columns={{
        Status: ({ response: { status, location } }) => (
          <InlineProse text={status + weakMark(provenanceAt(location, "specification"))} />
        ),
        Meaning: ({ response }) => <InlineProse text={response.description} />,
        Operations: ({ operationEntries }) =>
          operationEntries.length === operations.length ? "Every operation" : operationLinks(operationEntries),
      }}
    />
  );
}

function operationLinks(pairs: readonly Pick<CodePair, "operation">[]) {
  const names = pairs.map(({ operation }) => operation.name);
  return <InlineProse text={linksTo("operation", names, "and")} />;
}
