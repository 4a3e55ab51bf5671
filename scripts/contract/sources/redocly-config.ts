/** Reads redocly.yaml for the tools of this project. */
import { readFileSync } from "node:fs";
import { type Config, createConfig, type Plugin, parseYaml, type RawUniversalConfig } from "@redocly/openapi-core";
import { projectRoot } from "../model/index.ts";

const configFile = `${projectRoot}/redocly.yaml`;

/**
 * The configuration of Redocly.
 *
 * @param plugin replaces the plugin file that redocly.yaml names by the parts needed in this process.
 */
export function readRedoclyConfig(plugin: Omit<Plugin, "id">): Promise<Config> {
  const raw = parseYaml(readFileSync(configFile, "utf8")) as RawUniversalConfig;
  // redocly.yaml extends the preset with all rules of this project; a tool that runs no rules passes an empty preset.
  const configs = { all: {} };
  return createConfig({ ...raw, plugins: [{ configs, ...plugin, id: "contract" }] }, { configPath: configFile });
}
