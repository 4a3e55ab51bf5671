import { knownFormats, type SourceLocation, textFormats } from "../../../contract/model/index.ts";
import { Refusal } from "./refusal.ts";

export function patternAt(location: SourceLocation): RegExp {
  try {
    return new RegExp(String(location.child("pattern").value), "u");
  } catch (error) {
    throw new Refusal(location.child("pattern"), (error as Error).message, "Correct the pattern");
  }
}

export function formatAt(location: SourceLocation, format: string): RegExp {
  const pattern = textFormats.get(format);
  if (pattern !== undefined) return pattern;
  throw new Refusal(
    location.child("format"),
    `The client does not know the format ${format}`,
    `Leave it out, or use one of ${knownFormats.join(", ")}`,
  );
}
