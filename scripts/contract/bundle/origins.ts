import {
  type OpenApiDocument,
  type Origin,
  type Provenance,
  provenances,
  readContract,
  SourceLocation,
  walkSchema,
} from "../model/index.ts";

type SubjectsByProvenance = Map<Provenance, Set<string>>;

/**
 * A schema without a mark has the provenance of the element that contains it, so a schema that several operations use can have several.
 *
 * @param document the whole contract, so that a schema has the same origin in each edition.
 */
export function originsOf(document: OpenApiDocument): Map<string, Origin> {
  const { operations, webhooks } = readContract(document);
  const uses = new Map<string, SubjectsByProvenance>();
  const subjects = [...operations, ...webhooks.map((webhook) => ({ ...webhook, parameters: [] }))];
  for (const { name, parameters, requestBody, responses } of subjects) {
    const bodies = [...(requestBody === undefined ? [] : [requestBody]), ...responses].flatMap((message) =>
      message.bodies.map(({ schema }) => ({ schema, effectiveProvenance: message.effectiveProvenance })),
    );
    for (const { schema, effectiveProvenance: enclosing } of [...parameters, ...bodies]) {
      walkSchema(schema, (location, { provenance }) => recordUse(uses, location, provenance, name), {
        enclosingProvenance: enclosing,
      });
    }
  }
  const components = SourceLocation.ofDocument(document).child("components", "schemas");
  return new Map(
    [...uses].map(([component, subjectsByProvenance]) => [
      component,
      originOf(subjectsByProvenance, questionsOf(components.child(component))),
    ]),
  );
}

function recordUse(
  uses: Map<string, SubjectsByProvenance>,
  location: SourceLocation,
  provenance: Provenance,
  subject: string,
): void {
  const [, component] = /^#\/components\/schemas\/([^/]+)$/.exec(location.pointer) ?? [];
  if (component === undefined) return;
  const subjectsByProvenance = uses.get(component) ?? new Map<Provenance, Set<string>>();
  uses.set(
    component,
    subjectsByProvenance.set(provenance, (subjectsByProvenance.get(provenance) ?? new Set()).add(subject)),
  );
}

function originOf(subjectsByProvenance: SubjectsByProvenance, questions: string[]): Origin {
  const [strongest = "proposed", ...weaker] = provenances.filter((provenance) => subjectsByProvenance.has(provenance));
  return {
    provenance: strongest,
    in: [...(subjectsByProvenance.get(strongest) ?? [])],
    ...(weaker.length > 0 ? { weaker } : {}),
    ...(questions.length > 0 ? { questions } : {}),
  };
}

function questionsOf(schema: SourceLocation): string[] {
  const questions = new Set<string>();
  walkSchema(schema, (inner) => {
    for (const question of inner.texts("x-open-questions")) questions.add(question);
  });
  return [...questions].sort();
}
