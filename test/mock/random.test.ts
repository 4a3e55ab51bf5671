import { test } from "vitest";
import { expectDocumentedResponses } from "./any-response.ts";

// random.slow.test.ts runs the same test with more requests.
test.each([true, false])("any request to an operation gets a response documented for it; stateless: %s", (stateless) =>
  expectDocumentedResponses(stateless, 80),
);
