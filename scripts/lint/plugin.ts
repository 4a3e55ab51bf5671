import type { Plugin } from "@redocly/openapi-core";
import { decoratorsFor } from "../contract/bundle/index.ts";
import { allRules, redoclyRules } from "./index.ts";

export default function contractPlugin(): Plugin {
  return {
    id: "contract",
    configs: { all: { rules: allRules } },
    rules: { oas3: redoclyRules() },
    decorators: { oas3: decoratorsFor() },
  };
}
