import { expressionProblem } from "../expressions.ts";
import type { Rule } from "../rule.ts";

export const requiresCodes: Rule = {
  name: "requires-codes",
  states:
    "An operation has a condition under `x-requires` exactly when it lists the P-code of that condition, and the value names a parameter or a field of its body. extensions.yaml declares the conditions; a code that is `shared` there can be listed without the condition.",
  why: "The docs show the conditions, a mock can answer by them, and clients handle the codes; when they disagree, one of them is wrong.",
  wrong: `
x-requires:
  userVerified: $request.path.externalUserId
responses:
  "404":
    $ref: ../../responses/UserNotFound.yaml`,
  right: `
x-requires:
  userExists: $request.path.externalUserId
responses:
  "404":
    $ref: ../../responses/UserNotFound.yaml`,
  judge({ operations, extensions }, check) {
    const conditions = extensions.at("x-requires", "conditions").entries();
    const declared = conditions.map(([condition]) => condition);
    for (const operation of operations) {
      const { label, place, requires, answers } = operation;
      const refs = answers.flatMap(({ codeRefs }) => codeRefs);
      for (const { condition, of, code, place: mark } of requires) {
        const remedy = `Name one of ${declared.join(", ")}, or declare it in openapi/extensions.yaml`;
        check(declared.includes(condition), mark, `There is no condition ${condition}`, remedy);
        check(
          code === undefined || refs.some((ref) => ref.code === code),
          mark,
          `${label} requires ${condition} but does not list ${code}`,
          `Add ${code} to its answers, or remove ${condition}`,
        );
        for (const expression of of) {
          const problem = expressionProblem(operation, expression);
          check(problem === undefined, mark, problem ?? "", "Name whose user, card or amount is meant");
        }
      }
      const mark = place.own("x-requires");
      for (const [condition, entry] of conditions) {
        const code = entry.own("code").value;
        if (entry.own("shared").exists || !refs.some((ref) => ref.code === code)) continue;
        check(
          requires.some((requirement) => requirement.condition === condition),
          mark.exists ? mark : place,
          `${label} lists ${code} but does not require ${condition}`,
          `Add ${condition} to x-requires, or remove ${code} from its answers`,
        );
      }
    }
  },
};
