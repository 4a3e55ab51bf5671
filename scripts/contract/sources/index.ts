export { installCommand, type Publishing, readPublishing } from "./publishing.ts";
export { parseYaml, readYaml } from "./read-yaml.ts";
export { readRedoclyConfig } from "./redocly-config.ts";
export { diskFiles, type SourceFiles } from "./source-files.ts";
export { Sources, type Unreadable } from "./sources.ts";
export { everywhere, readStatementSources, type StatementSource, sectionsOf } from "./statement-sources.ts";
