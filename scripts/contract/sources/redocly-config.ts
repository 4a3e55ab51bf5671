import { type Config, createConfig, type Plugin, type RawUniversalConfig } from "@redocly/openapi-core";
import { projectRoot } from "../../base/index.ts";
import { readYaml } from "./read-yaml.ts";

const configFile = `${projectRoot}/redocly.yaml`;

/**
 * @param plugin replaces the plugin that redocly.yaml refers to.
 * @throws {UsageError} if the file cannot be read or parsed.
 */
export function readRedoclyConfig(plugin: Omit<Plugin, "id">, file: string = configFile): Promise<Config> {
  const rawConfig = readYaml<RawUniversalConfig>(file, "The configuration");
  // redocly.yaml extends the plugin's preset `all`, so the preset must exist even if no rules run.
  const configs = { all: {} };
  return createConfig({ ...rawConfig, plugins: [{ configs, ...plugin, id: "contract" }] }, { configPath: file });
}
