import { assumedAnswer, defaultAnswer } from "../../mock/answers/index.ts";
import type { Plan } from "../../mock/plan/index.ts";
import { ArgumentError, assertDistinct } from "../kit/arguments.ts";

/** Parses texts such as `Q-history-window=Another time zone`. @throws {ArgumentError} when a text has another form, or repeats a question. */
export function readAnswers(texts: readonly string[]): Record<string, string> {
  const answers = texts.map((text): [id: string, answer: string] => {
    const [, id = "", answer = ""] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (answer !== "") return [id, answer];
    throw new ArgumentError('--answer takes a question and an answer, such as "Q-history-window=Another time zone"');
  });
  assertDistinct(answers.map(([id]) => id));
  return Object.fromEntries(answers);
}

/** An asterisk marks the answer with which the mock runs by default. */
export function answerList({ questions }: Plan): string {
  const lines = Object.entries(questions).flatMap(([id, question]) => {
    const defaultAnswerName = defaultAnswer(question);
    const assumedLines = defaultAnswerName === assumedAnswer ? [`  * ${assumedAnswer}: ${question.assumption}`] : [];
    const answerLines = Object.entries(question.answers).map(([name, changes]) =>
      "cannot" in changes
        ? `  - ${name} (cannot be run: ${changes.cannot})`
        : `  ${name === defaultAnswerName ? "*" : " "} ${name}`,
    );
    return [`${id} (${question.rank}): ${question.question}`, ...assumedLines, ...answerLines, ""];
  });
  return [...lines, '* is what the mock does by default. Run another one: --answer "QUESTION=ANSWER"'].join("\n");
}
