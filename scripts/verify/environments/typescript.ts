/** The TypeScript that is written in Go, beside the one of this repository. */
import { join } from "node:path";
import { typeCheck } from "../package.ts";
import type { Environment } from "./environment.ts";

export const typescript: Environment = {
  name: "ts 7",
  packages: ["typescript@7.0.2"],
  check: ({ project }) => typeCheck(project, join(project, "node_modules/typescript/bin/tsc")),
};
