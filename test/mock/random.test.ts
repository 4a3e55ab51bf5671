import { test } from "vitest";
import { expectDocumentedResponses } from "./any-response.ts";

// The same for more requests is in random.slow.test.ts.
test.each([true, false])("any request to an operation gets a response documented for it; stateless: %s", (stateless) =>
  expectDocumentedResponses(stateless, 80),
);
