import type { ErrorObject } from "ajv/dist/2020.js";
import { didYouMean } from "../../base/index.ts";
import type { SourceLocation } from "../model/index.ts";

export interface Violation {
  location: SourceLocation;
  problem: string;
}

export function toViolation(
  error: ErrorObject,
  value: SourceLocation,
  nameOf = (keys: string[]) => keys.join(".") || "it",
): Violation {
  const { keyword, instancePath, propertyName, params, message, parentSchema } = error;
  const keys = keysOf(instancePath);
  const name = nameOf(keys);
  const location = value.child(...keys);
  const requirement = keyword === "enum" ? `must be one of ${params.allowedValues.join(", ")}` : message;
  if (propertyName !== undefined)
    return { location: location.child(propertyName), problem: `"${propertyName}" ${requirement}` };
  switch (keyword) {
    case "unevaluatedProperties":
    case "additionalProperties": {
      const extraName = params.unevaluatedProperty ?? params.additionalProperty;
      const suggestion = didYouMean(extraName, Object.keys(parentSchema?.properties ?? {}));
      const problem = `${nameOf([...keys, extraName])} is not a property of the schema${suggestion && `.${suggestion}`}`;
      return { location: location.child(extraName), problem };
    }
    case "required":
      return { location, problem: `${nameOf([...keys, params.missingProperty])} is missing` };
    case "const":
      return { location, problem: `${name} must be ${JSON.stringify(params.allowedValue)}` };
    case "false schema":
      return { location, problem: `${name} is not allowed` };
    default:
      return { location, problem: `${name} ${requirement}` };
  }
}

function keysOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}
