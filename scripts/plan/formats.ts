/** The formats that Prism knows, for compiled validators. */
import { compareDateTime, date_time, fmtDef } from "./prism-internals.ts";

/** The name under which compiled validators require the formats. */
export const formatsModule = "./formats";

/** The text of that module: those of ajv-formats, with the one that Prism replaces. */
export const formatsText: string = `
const { fullFormats } = require("ajv-formats/dist/formats");
const { fmtDef, date_time, compareDateTime } = require("@stoplight/prism-http/dist/validator/validators/dateTime");
module.exports = { ...fullFormats, "date-time": fmtDef(date_time, compareDateTime) };
`;

/** What Prism adds to the formats of ajv-formats. */
export const prismFormats: Record<string, { validate: (text: string) => boolean }> = {
  "date-time": fmtDef(date_time, compareDateTime),
};
