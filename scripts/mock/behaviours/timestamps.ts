/** The three forms in which the interface writes a time. */

/** UTC with milliseconds. @param time milliseconds since 1970. */
export function timestamp(time: number): string {
  return new Date(time).toISOString();
}

/** UTC without milliseconds, as in locks. */
export function timestampInSeconds(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** With a numeric offset and without milliseconds, as in the list of cards. */
export function timestampWithOffset(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, "+00:00");
}
