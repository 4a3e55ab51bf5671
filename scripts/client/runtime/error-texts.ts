/** Reads the texts of an error without sensitive values. Loaded for the first error. */
import type { ErrorDetails, ErrorText } from "./errors.ts";
import type { Redact } from "./redaction.ts";

/** Maximum number of characters of a text of the service. */
const textLimit = 2_000;
/** How much more than is printed of a text is redacted, so that a value is found which its end cuts. */
const margin = 2_000;
/** What is left out at the end of a text that was cut: half of a value may stand there. */
const longestHalf = 1_100;

/**
 * The beginning of a text, without sensitive values.
 *
 * @param limit maximum number of characters.
 */
export function printable(text: string, redact: Redact | undefined, limit: number): string {
  const start = text.slice(0, limit + margin);
  const shown = redact?.(start) ?? start;
  return (start.length < text.length ? shown.slice(0, -longestHalf) : shown).slice(0, limit);
}

/** A timestamp of the service holds nothing sensitive, even when it contains the digits of a house number. */
const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;

/** What is shown of a text of an error. */
export function readText(details: ErrorDetails, name: ErrorText): string | Record<string, string> | undefined {
  const { headers, redact } = details;
  const show = (text: string) => printable(text, redact, textLimit);
  if (name === "headers") {
    const shown = [...(headers ?? [])].filter(([each]) => each !== "set-cookie");
    return headers && Object.fromEntries(shown.map(([each, value]) => [each, show(value)]));
  }
  if (name === "requestId") {
    const [id] = ["x-request-id", "request-id", "x-correlation-id"].flatMap((each) => headers?.get(each) ?? []);
    return id && show(id);
  }
  const { [name]: text } = details;
  return text === undefined || (name === "timestamp" && timestampForm.test(text)) ? text : show(text);
}
