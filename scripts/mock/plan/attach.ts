import type { Plan, Validator } from "./plan.ts";

type WithValidatorNames<Type> = Type extends Validator
  ? string
  : Type extends readonly (infer Item)[]
    ? readonly WithValidatorNames<Item>[]
    : Type extends object
      ? { readonly [Key in keyof Type]: WithValidatorNames<Type[Key]> }
      : Type;

export type PlanData = WithValidatorNames<Plan>;

export function attachValidators(data: PlanData, findValidator: (name: string) => Validator): Plan {
  const attach = <Part extends { validator: string }>(part: Part) => ({
    ...part,
    validator: findValidator(part.validator),
  });
  const operations = data.operations.map(({ parameters, requestBody, responseValidators, ...operation }) => ({
    ...operation,
    parameters: parameters.map(attach),
    requestBody: requestBody && { ...requestBody, bodies: requestBody.bodies.map(attach) },
    responseValidators: Object.fromEntries(
      Object.entries(responseValidators).map(([key, name]) => [key, findValidator(name)]),
    ),
  }));
  const control = data.control.map(({ body, ...operation }) => ({ ...operation, body: body && attach(body) }));
  return { ...data, operations, control, webhooks: data.webhooks.map(attach) } as Plan;
}
