import type { Plugin } from "@redocly/openapi-core";
import { decoratorsFor } from "../contract/bundle/index.ts";
import { redoclyRules, severityByRule } from "./index.ts";

export default function contractPlugin(): Plugin {
  return {
    id: "contract",
    configs: { all: { rules: severityByRule } },
    rules: { oas3: redoclyRules() },
    decorators: { oas3: decoratorsFor() },
  };
}
