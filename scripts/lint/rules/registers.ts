import { didYouMean } from "../../base/index.ts";
import type { SourceLocation } from "../../contract/model/index.ts";
import { compileErrorOf, formNames, formOf, violationsOf } from "../../contract/sources/index.ts";
import type { Judge } from "../rule.ts";
import type { SourceContract } from "../source-contract.ts";

export const registerRules: Record<string, Judge> = {
  "extension-known"({ marks, files }, check) {
    const keys = files.extensions.entries().map(([key]) => key);
    for (const { key, location } of marks) {
      const suggestion = didYouMean(key, keys);
      check(keys.includes(key), location, `${key} is not a known key${suggestion && `.${suggestion}`}`);
    }
  },

  "extension-place"({ marks, files }, check) {
    for (const { key, holderType, location } of marks) {
      const kinds = files.extensions.at(key, "on");
      if (!kinds.exists) continue;
      const allowedKinds = kinds.items().map(({ value }) => value);
      const remedy = `Move it to an object of the kind ${allowedKinds.join(", ")}`;
      check(
        allowedKinds.includes(holderType),
        location,
        `${key} is not allowed on an object of the kind ${holderType}`,
        remedy,
      );
    }
  },

  "extension-value"({ marks, files }, check) {
    for (const { key, location } of marks) {
      const schema = files.extensions.at(key, "schema").value;
      if (typeof schema !== "object" || schema === null) continue;
      check.violations(violationsOf(schema, location), location, `${key} does not have the required form`);
    }
  },

  "register-form"({ files }, check) {
    for (const name of formNames) {
      const file = files[name];
      if (!file.exists) continue;
      const remedy = "Follow the other entries of the file";
      check.violations(
        violationsOf(formOf(name), file),
        file,
        "The entry does not have the form of its schema",
        remedy,
      );
    }
    for (const [key, entry] of files.extensions.entries()) {
      const schema = entry.child("schema");
      if (typeof schema.value !== "object" || schema.value === null) continue;
      const error = compileErrorOf(schema.value);
      const problem = error && `The schema of ${key} does not compile: ${error}`;
      check.problem(problem, schema, "Write JSON Schema 2020-12");
    }
  },

  "question-resolves"(contract, check) {
    const { mock, openQuestions } = contract.files;
    for (const item of [...questionsOf(contract), ...questionsIn(mock)]) {
      const isEntry = openQuestions.child(String(item.value)).exists;
      check(isEntry, item, `There is no open question ${item.value}`);
    }
  },

  "question-used"(contract, check) {
    const markedIds = questionsOf(contract).map(({ value }) => value);
    for (const [id, entry] of contract.files.openQuestions.entries()) {
      check(markedIds.includes(id), entry, `No element refers to ${id}`);
    }
  },
};

function questionsOf({ marks, files }: SourceContract): SourceLocation[] {
  return [
    ...marks.flatMap(({ key, location }) => (key === "x-open-questions" ? location.items() : [])),
    ...[...marks.map(({ location }) => location), files.resources].flatMap(questionsIn),
  ];
}

function questionsIn(location: SourceLocation): SourceLocation[] {
  return location.children().flatMap(([key, part]) => (key === "questions" ? part.items() : questionsIn(part)));
}
