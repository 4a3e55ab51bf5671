import {
  type DocumentedResponse,
  type ErrorCode,
  type Operation,
  provenanceAt,
  provenances,
} from "../../contract/model/index.ts";
import { linksTo } from "../content/links.ts";
import { errorOf, failuresOf } from "../content/subjects.ts";
import { listWords } from "../text/words.ts";
import {
  actorWords,
  type CodePair,
  causesOfPair,
  effectOf,
  generalCodes,
  isOnEveryOperation,
  pairsIn,
  pairsOf,
  retryWords,
} from "./code-data.ts";
import { Link } from "./link.tsx";
import { isWeak, weakMark } from "./marks.tsx";
import { EditionNote, editionMark } from "./operation-table.tsx";
import { useHrefs, usePage } from "./page-context.ts";
import { InlineProse, Prose } from "./prose.tsx";
import { list, Table } from "./table.tsx";

export function PairList({ pairs }: { pairs: readonly CodePair[] }) {
  const { site } = usePage();
  const causesIn = (pair: CodePair) => listWords(causesOfPair(pair, site), "or");
  const haveSameCause = new Set(pairs.map(causesIn).filter((text) => text !== "")).size < 2;
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
          <Link to="error" name={code} provenance={provenance} baseProvenance={operation.effectiveProvenance} />
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
  const { method, effectiveProvenance: provenance } = operation;
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

/** First the codes that a document states for the operation, then the others. */
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

export function ErrorTable() {
  return (
    <Table
      class="codes"
      rows={usePage().site.contract.errorCodes}
      columns={{
        Code: ({ code, effectiveProvenance: provenance }) => <Link to="error" name={code} provenance={provenance} />,
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
