/** Parts of Prism that it does not export, by their place in its package: they change only with its pinned version. */
import { createRequire } from "node:module";

const prismRequire = createRequire(createRequire(import.meta.url).resolve("@stoplight/prism-http"));

type SchemaFilter = (schema: object) => { _tag: "Some"; value: object } | { _tag: "None" };

/** What `prism-http` applies to the schema of a body before it compiles it. */
export const mergeAllOf = prismRequire("@stoplight/json-schema-merge-allof") as (
  schema: object,
  options: { deep: boolean; ignoreAdditionalProperties: boolean },
) => object;

export const { stripReadOnlyProperties } = prismRequire("./utils/filterRequiredProperties") as {
  stripReadOnlyProperties: SchemaFilter;
};

/** Its own format `date-time`. */
export const { fmtDef, date_time, compareDateTime } = prismRequire("./validator/validators/dateTime") as {
  fmtDef: (validate: unknown, compare: unknown) => { validate: (text: string) => boolean };
  date_time: unknown;
  compareDateTime: unknown;
};
