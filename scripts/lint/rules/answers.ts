/** The rule about `openapi/answers.yaml`: the answers to open questions that the mock can run. */

import { resultOrError } from "../../base/index.ts";
import { formOfAnswer, violationsOf } from "../../contract/sources/index.ts";
import { type Judge, nameOneOf } from "../rule.ts";

/** The paths of members of an answer whose keys or items are names of operations, webhooks or bodies. */
const namedMembers: readonly (readonly [path: readonly string[], kind: "operation" | "webhook" | "body"])[] = [
  [["shapes", "bodies"], "body"],
  [["successes", "statuses"], "operation"],
  [["repeats", "recognisedBy"], "operation"],
  [["refused", "ofSuspended"], "operation"],
  [["webhooks", "paths"], "webhook"],
  [["webhooks", "everyChange"], "webhook"],
  [["webhooks", "never"], "webhook"],
];

export const answerRules: Record<string, Judge> = {
  answers({ files, operations, webhooks }, check) {
    const { answers, openQuestions, mockControl } = files;
    for (const [id, question] of openQuestions.entries()) {
      const questionAnswers = answers.child(id);
      check(questionAnswers.exists, question, `${id} has no answers in answers.yaml`);
      const names = Object.keys(question.child("change").value ?? {});
      const missingAnswers = names.filter((name) => !questionAnswers.child(name).exists);
      // A name that is not one of the question's answers is probably misspelt. Then only the name is reported, below.
      const isMisnamed = questionAnswers.entries().some(([name]) => !names.includes(name));
      if (questionAnswers.exists && !isMisnamed)
        check(missingAnswers.length === 0, questionAnswers, `${id} lacks ${missingAnswers.join("; ")}`);
    }
    const operationIds = operations.map(({ operationId }) => operationId);
    const events = webhooks.map(({ name }) => name);
    const knownNames = {
      operation: operationIds,
      webhook: events,
      body: [...operationIds, ...events, "errors", "errorsWithoutCode"],
    };
    for (const [id, questionAnswers] of answers.entries()) {
      const question = openQuestions.child(id);
      check(question.exists, questionAnswers, `There is no open question ${id}`, "Remove the entry");
      const answerEntries = questionAnswers.entries();
      const emptyAnswers = answerEntries.filter(([, { value }]) => Object.keys(value ?? {}).length === 0);
      check(
        emptyAnswers.length < 2,
        questionAnswers,
        `${id} has several answers that set nothing`,
        "The mock runs one of them by default",
      );
      for (const [name, answer] of answerEntries) {
        if (question.exists) {
          const isAnswer = question.child("change", name).exists;
          check(
            isAnswer,
            answer,
            `${id} has no answer ${name}`,
            nameOneOf(Object.keys(question.child("change").value ?? {})),
          );
        }
        check(/^[\x21-\x7e ]+$/.test(name) && !/[,=;]/.test(name), answer, `The name ${name} cannot stand in a header`);
        // The rule mock-control reports an invalid schema `Assume`.
        const schema = resultOrError(() => formOfAnswer(answer, mockControl));
        const violations = schema instanceof Error ? [] : violationsOf(schema, answer);
        check.violations(violations, answer, `The answer ${name} does not have the required form`);
        for (const [path, kind] of namedMembers) {
          for (const [key, part] of answer.child(...path).children()) {
            const name = Array.isArray(answer.child(...path).value) ? String(part.value) : key;
            check(knownNames[kind].includes(name), part, `There is no ${kind} ${name}`, nameOneOf(knownNames[kind]));
          }
        }
      }
    }
  },
};
