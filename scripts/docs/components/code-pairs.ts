/** The operations that answer a P-code: how sure each pair is, and what leads to the answer. */
import {
  type Answer,
  type CodeRef,
  type Contract,
  type InvalidRequest,
  markOn,
  type Operation,
  type Provenance,
  provenances,
  weakest,
} from "../../contract/index.ts";
import type { SiteContent } from "../site/site.ts";

/** An operation with the answer in which it returns a P-code. */
export interface CodePair {
  operation: Operation;
  answer: Answer;
  ref: CodeRef;
  /** How sure it is that the operation returns the code: the weakest mark of the operation, the answer and the reference. */
  provenance: Provenance;
}

/** What leads to a code at an operation; both are empty where the contract does not say it. */
export interface Causes {
  /** The meanings of the conditions that do not hold. */
  conditions: string[];
  /** Ways in which a request breaks its schema, as Markdown. */
  invalid: string[];
}

/** The operations that return a code, in the order of the contract. */
export function pairsOf(code: string, { operations }: Pick<Contract, "operations">): CodePair[] {
  return operations.flatMap((operation) =>
    operation.answers.flatMap((answer) =>
      answer.codeRefs
        .filter((ref) => ref.code === code)
        .map((ref) => ({ operation, answer, ref, provenance: provenanceOf(operation, answer, ref) })),
    ),
  );
}

function provenanceOf({ provenance = "proposed" }: Operation, { place }: Answer, ref: CodeRef): Provenance {
  return weakest(provenance, markOn(place), markOn(place.target), ref.provenance);
}

/** The pair that is the most certain; of equal ones one whose cause the contract says, with the shortest request. */
export function surestPair(pairs: readonly CodePair[], site: SiteContent): CodePair | undefined {
  const rank = (pair: CodePair) => {
    const { conditions, invalid } = causesOfPair(pair, site);
    return 2 * provenances.indexOf(pair.provenance) + (conditions.length + invalid.length === 0 ? 1 : 0);
  };
  const length = ({ operation: { path, requestBody } }: CodePair) =>
    path.length + JSON.stringify(requestBody?.bodies[0]?.examples[0]?.value ?? "").length;
  return [...pairs].sort((a, b) => rank(a) - rank(b) || length(a) - length(b))[0];
}

/** What leads to the code of a pair. */
export function causesOfPair({ operation, ref: { code } }: CodePair, { conditions }: SiteContent): Causes {
  const { requires, parameters, requestBody } = operation;
  const wrong = parameters.filter(({ invalidRequest }) => invalidRequest === code).map(({ name }) => `\`${name}\``);
  return {
    conditions: requires
      .filter((requirement) => requirement.code === code)
      .map(({ condition }) => conditions[condition]?.meaning ?? condition),
    invalid: [
      ...(wrong.length === 0 ? [] : [`${wrong.join(" or ")} breaks its schema`]),
      ...invalidBodies(requestBody?.invalidRequest, code),
    ],
  };
}

/** That conditions do not hold, as a part of a sentence. */
export function notTrueWords(meanings: readonly string[]): string {
  const words = meanings.map((meaning) => meaning.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()));
  return `${words.length === 1 ? "this is" : "one of these is"} not true: ${words.join("; ")}`;
}

const invalidWords = {
  mediaType: "A file has a media type that is not accepted",
  tooLarge: "A file is too large",
  alternative: "None of the parts is sent of which one is needed",
  missing: "A required part is missing",
  otherwise: "The body breaks its schema in another way",
};

function invalidBodies(request: InvalidRequest | undefined, code: string): string[] {
  if (request === undefined) return [];
  if (typeof request === "string") return request === code ? ["The body breaks its schema"] : [];
  const ways = (Object.keys(invalidWords) as (keyof typeof invalidWords)[]).filter((way) => request[way] === code);
  const isOnly = Object.keys(request).length === 1;
  return ways.map((way) => (way === "otherwise" && isOnly ? "The body breaks its schema" : invalidWords[way]));
}
