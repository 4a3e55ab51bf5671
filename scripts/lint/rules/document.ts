import { basename, dirname } from "node:path";
import type { SourceLocation } from "../../contract/model/index.ts";
import { violationsOf } from "../../contract/sources/index.ts";
import type { Judge } from "../rule.ts";
import { referenceObject } from "../source-contract.ts";
import { readSchema } from "../validation.ts";

const rootSchema = readSchema("openapi");

/** The keys of a Reference Object (OpenAPI 3.1, 4.8.23). */
const referenceKeys = ["$ref", "summary", "description"];

const componentKinds = ["Schema", "Parameter", "Response", "Header", "RequestBody", "Example", "Link"];

/** Add the verb of a new operation here. */
const verbs = [
  ...["add", "block", "create", "delete", "extend", "get", "list", "redirect"],
  ...["suspend", "transfer", "unblock", "unsuspend", "update"],
];

export const documentRules: Record<string, Judge> = {
  "api-key"({ root, operations, webhooks }, check) {
    const security = root.child("security");
    const alternatives = security.items().map(namesIn);
    check(
      alternatives.length === 1 && alternatives.flat().length === 1,
      security.exists ? security : root,
      "The document does not require exactly one security scheme",
      "Write security with only the scheme of the API key",
    );
    const [name = ""] = alternatives.flat();
    const scheme = root.at("components", "securitySchemes", name).target;
    const isKey = Object.entries({ type: "apiKey", in: "header", name: "x-api-key" }).every(
      ([key, value]) => scheme.child(key).value === value,
    );
    const remedy = "Give it type: apiKey, in: header and name: x-api-key";
    check(isKey, scheme.exists ? scheme : root, "The security scheme is not the header x-api-key", remedy);
    for (const [name, credential] of root.at("components", "securitySchemes").entries()) {
      const isMarked = credential.child("x-sensitive").value === true;
      check(isMarked, credential, `${name} is not marked as sensitive`, "Add x-sensitive: true");
    }
    for (const { label, location } of operations) {
      const ownSecurity = location.child("security");
      const problem = `${label} overrides security`;
      check(!ownSecurity.exists, ownSecurity, problem, "Remove it: the root requires x-api-key everywhere");
    }
    for (const { label, location } of webhooks) {
      const ownSecurity = location.child("security");
      const acceptedSchemes = ownSecurity.items().map(namesIn);
      const remedy = "Write security: [{ webhookToken: [] }, {}]";
      check(
        ownSecurity.exists && !acceptedSchemes.flat().some((scheme) => alternatives.flat().includes(scheme)),
        ownSecurity.exists ? ownSecurity : location,
        `${label} requires the API key of the partner`,
        remedy,
      );
      const isOptional = acceptedSchemes.some((names) => names.length === 0);
      check(!ownSecurity.exists || isOptional, ownSecurity, `The token of ${label} is not optional`, remedy);
      check(!ownSecurity.exists || acceptedSchemes.flat().length > 0, ownSecurity, `${label} accepts no token`, remedy);
    }
  },

  "component-names"({ nodes, references }, check) {
    const components = new Set(nodes(...componentKinds).map(({ id }) => id));
    const firstByName = new Map<string, SourceLocation>();
    for (const { target } of references) {
      if (!components.has(target.id)) continue;
      // Generators change the case of names and leave out hyphens. Two names must still differ.
      const normalizedName = target.name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
      const firstTarget = firstByName.get(normalizedName) ?? target;
      firstByName.set(normalizedName, firstTarget);
      const problem = `${target.name} is the name of two components, here and in ${basename(firstTarget.file)}`;
      check(firstTarget.id === target.id, target, problem);
    }
  },

  deprecation({ nodes, operations }, check) {
    for (const location of nodes("Operation", "Parameter", "Schema")) {
      const [isDeprecated, deprecation] = [
        location.child("deprecated").value === true,
        location.child("x-deprecation"),
      ];
      const problem = isDeprecated
        ? "The deprecated element has no x-deprecation"
        : "The element with x-deprecation is not deprecated";
      check(
        isDeprecated === deprecation.exists,
        deprecation.exists ? deprecation : location.child("deprecated"),
        problem,
      );
      const replacement = deprecation.child("replacement");
      const isKnown = operations.some(({ operationId }) => operationId === replacement.value);
      const remedy = "Name the operationId of the call to make instead";
      check(!replacement.exists || isKnown, replacement, `There is no operation ${replacement.value}`, remedy);
    }
  },

  "file-reached"({ root, references, sources }, check) {
    const { folder, journeys, guides, ...otherPaths } = sources.layout;
    const otherFiles = Object.values(otherPaths);
    const targets = references.map(({ target }) => target);
    const reachedFiles = new Set([root.file, ...targets.map(({ file }) => file)]);
    const fullyReferencedFiles = new Set([
      root.file,
      ...targets.filter(({ pointer }) => pointer === "#/").map(({ file }) => file),
    ]);
    const parts = new Set(targets.map(partOf));
    for (const file of sources.paths) {
      const problem = `${basename(file)} does not end with .yaml, so no tool reads it`;
      check(file.endsWith(".yaml"), sources.location(file), problem, "Rename it, or remove it");
      if (!file.endsWith(".yaml")) continue;
      if (otherFiles.includes(file) || [journeys, guides].includes(dirname(file))) continue;
      const remedy = "List it where it belongs (a path or webhook in openapi.yaml), or remove it";
      check(reachedFiles.has(file), sources.location(file), `Nothing refers to ${basename(file)}`, remedy);
      if (!reachedFiles.has(file) || fullyReferencedFiles.has(file)) continue;
      for (const [name, part] of sources.location(file).entries()) {
        const problem = `Nothing refers to ${name} in ${basename(file)}`;
        check(parts.has(partOf(part)), part, problem, "Refer to it, or remove it");
      }
    }
  },

  "info-version"({ root, packageVersion }, check) {
    const version = root.at("info", "version");
    const problem = `The contract has the version ${version.value}, package.json has ${packageVersion}`;
    check(version.value === packageVersion, version, problem);
  },

  links({ operations, nodes }, check) {
    for (const link of nodes("Link")) {
      const id = link.child("operationId");
      const targetOperation = operations.find(({ node }) => node.operationId === id.value);
      check(
        targetOperation !== undefined && id.exists,
        id.exists ? id : link,
        `The link refers to ${id.value ?? "no operationId"}, which no operation has`,
        "Name the operationId of the next call",
      );
      if (targetOperation === undefined) continue;
      const sourceOperations = operations.filter(({ responses }) =>
        responses.some(({ location }) =>
          location
            .at("links")
            .entries()
            .some(([, { target }]) => target.id === link.id),
        ),
      );
      check(
        targetOperation.provenance !== "proposed" ||
          sourceOperations.every(({ provenance }) => provenance === "proposed"),
        id,
        `The link refers to ${targetOperation.label}, which the edition latest does not have`,
        "Name the operation in the description instead",
      );
      const names = targetOperation.parameters.flatMap(({ name, in: location }) => [name, `${location}.${name}`]);
      for (const [name, value] of link.child("parameters").entries()) {
        const problem = `The link sets ${name}, which is not a parameter of ${targetOperation.label}`;
        check(names.includes(name), value, problem, "Name a parameter that it has");
      }
    }
  },

  "named-operations"({ root, operations }, check) {
    const list = root.child("x-named-operations");
    for (const { operationId, label, method, provenance, location } of operations) {
      const entry = list.child(operationId);
      check(
        entry.exists || provenance !== "specification",
        location,
        `x-named-operations does not list ${label}`,
        "Add it to openapi.yaml with its name, or weaken its mark if the specification does not name it",
      );
      if (!entry.exists) continue;
      const statedMethod = entry.child("method");
      const isStated = statedMethod.exists || provenance === "specification";
      check(
        !isStated || statedMethod.value === method.toUpperCase(),
        statedMethod.exists ? statedMethod : entry,
        `The method of ${label} is ${method.toUpperCase()}, and x-named-operations says ${statedMethod.value ?? "none"}`,
        "Correct one of the two",
      );
    }
    const operationIds = operations.map(({ operationId }) => operationId);
    for (const [operationId, entry] of list.entries()) {
      const problem = `x-named-operations lists ${operationId}, which is not an operation`;
      check(operationIds.includes(operationId), entry, problem, "Correct the operationId, or remove the entry");
    }
  },

  "operation-name"({ operations, webhooks }, check) {
    const copiedItemIds = new Set<string>();
    for (const { operationId, item, location } of operations) {
      const sameOperations = operations.filter((other) => other.operationId === operationId);
      const original =
        sameOperations.find((other) => other.item.name.split("-").includes(operationId)) ?? sameOperations[0];
      const otherOperations = sameOperations.filter((other) => other.location.id !== location.id);
      if (original?.location.id === location.id || otherOperations.length === 0) continue;
      copiedItemIds.add(item.id);
      const files = otherOperations.map(({ item: { file } }) => basename(file)).join(", ");
      const problem = `The operationId ${operationId} is also in ${files}`;
      check(
        false,
        location.child("operationId"),
        problem,
        "Give this operation another operationId, and rename its file accordingly",
      );
    }
    for (const { location } of operations) {
      const id = location.child("operationId");
      check(
        isVerbAndNoun(String(id.value)),
        id.exists ? id : location,
        id.exists ? `"${id.value}" is not a verb and a noun in camelCase` : "The operation has no operationId",
        `Start it with one of ${verbs.join(", ")}, as in createUserAccount; add a new verb to scripts/lint/rules/document.ts`,
      );
    }
    for (const { item, location } of new Map(operations.map((operation) => [operation.path, operation])).values()) {
      const ids = item
        .entries()
        .flatMap(([, part]) => operations.find((candidate) => candidate.location.id === part.id)?.operationId ?? []);
      if (!ids.every(isVerbAndNoun) || copiedItemIds.has(item.id)) continue;
      const name = ids.join("-");
      const remedy = `Put the path into a file ${name}.yaml in openapi/paths/<area>/`;
      const problem = `${basename(item.file)} is not named after its operations`;
      check(item.name === name, location, problem, remedy);
    }
    for (const { name, item, location } of webhooks) {
      const remedy = `Put the webhook into openapi/webhooks/${name}.yaml`;
      check(item.name === name, location, `${basename(item.file)} is not named after the webhook ${name}`, remedy);
    }
  },

  "reference-alone"({ nodes }, check) {
    for (const location of nodes(referenceObject)) {
      const extraKeys = Object.keys(location.value as object).filter((key) => !referenceKeys.includes(key));
      check(
        extraKeys.length === 0,
        location.child(extraKeys[0] ?? "$ref"),
        `${extraKeys.join(", ")} beside a $ref is ignored`,
      );
    }
  },

  "root-form"({ root }, check) {
    check.violations(violationsOf(rootSchema, root), root, "The root document does not have its required form");
  },
};

function namesIn(requirement: SourceLocation): string[] {
  return requirement.entries().map(([name]) => name);
}

function partOf({ file, pointer }: SourceLocation): string {
  return `${file}${pointer.split("/").slice(0, 2).join("/")}`;
}

function isVerbAndNoun(id: string): boolean {
  const verb = /^([a-z]+)(?:[A-Z][a-z0-9]*)+$/.exec(id)?.[1];
  return verb !== undefined && verbs.includes(verb);
}
