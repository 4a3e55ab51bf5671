import { readFileSync } from "node:fs";
import { type Config, createConfig, type Plugin, parseYaml, type RawUniversalConfig } from "@redocly/openapi-core";
import { projectRoot } from "../base/index.ts";

const configFile = `${projectRoot}/redocly.yaml`;

/** @param plugin replaces the plugin that redocly.yaml refers to. */
export function readRedoclyConfig(plugin: Omit<Plugin, "id">): Promise<Config> {
  const rawConfig = parseYaml(readFileSync(configFile, "utf8")) as RawUniversalConfig;
  // redocly.yaml extends the plugin's preset `all`, so the preset must exist even if no rules run.
  const configs = { all: {} };
  return createConfig({ ...rawConfig, plugins: [{ configs, ...plugin, id: "contract" }] }, { configPath: configFile });
}
