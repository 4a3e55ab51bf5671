/** redocly.yaml, as the tools of this project read it. */
import { readFileSync } from "node:fs";
import { type Config, createConfig, type Plugin, parseYaml, type RawUniversalConfig } from "@redocly/openapi-core";
import { projectRoot } from "../model/index.ts";

const configFile = `${projectRoot}/redocly.yaml`;

/**
 * The configuration of Redocly.
 *
 * @param plugin takes the place of the file that redocly.yaml names: what of it a tool of this process needs.
 */
export function readRedoclyConfig(plugin: Omit<Plugin, "id">): Promise<Config> {
  const raw = parseYaml(readFileSync(configFile, "utf8")) as RawUniversalConfig;
  // redocly.yaml extends the preset with all rules of this project; a tool that runs none has an empty one.
  const configs = { all: {} };
  return createConfig({ ...raw, plugins: [{ configs, ...plugin, id: "contract" }] }, { configPath: configFile });
}
