/** Says in the comment of an operation or webhook where its description comes from and which questions are open. */
import type { OpenQuestions, Operation, Provenance, Webhook } from "../contract/index.ts";
import { experimental } from "./text.ts";

/** The first lines of the comment of an operation or webhook that is proposed. */
export function experimentalLines({ provenance = "proposed" }: Operation | Webhook): string[] {
  return provenance === "proposed" ? [experimental, ""] : [];
}

/**
 * The last lines of the comment of an operation or webhook: its open questions and its provenance. What is assumed stands
 * at the parameter or field that a question is about, and in the docs.
 *
 * @param questions the open questions of the contract by their id.
 */
export function provenanceLines(
  { provenance = "proposed", openQuestions }: Operation | Webhook,
  questions: OpenQuestions,
): string[] {
  const open = openQuestions.map((id) => `- ${id}: ${questions[id]?.question}`);
  const sentence = provenanceSentences[provenance];
  return [
    ...(open.length === 0 ? [] : ["", "Open questions:", ...open]),
    ...(sentence === undefined ? [] : ["", sentence]),
  ];
}

const provenanceSentences: Partial<Record<Provenance, string>> = {
  specification: "Stated in the interface specification.",
  reference:
    "Named in the interface specification and described in the public reference; parts that are proposed are marked.",
  observed:
    "Named in the interface specification, its shape observed in a program that calls the service, or inferred from one.",
};
