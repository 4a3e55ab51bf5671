// The plugin for redocly.yaml. Node 20 cannot import TypeScript, so tsx imports the plugin there.
const plugin = await import("./plugin.ts").catch(async (error) => {
  if (error.code !== "ERR_UNKNOWN_FILE_EXTENSION") throw error;
  const { tsImport } = await import("tsx/esm/api");
  return tsImport("./plugin.ts", import.meta.url);
});

export default plugin.default;
