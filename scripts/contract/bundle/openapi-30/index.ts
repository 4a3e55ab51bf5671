export { RefusedSchema } from "./refused-schema.ts";
export { toOpenApi30 } from "./to-openapi-30.ts";
