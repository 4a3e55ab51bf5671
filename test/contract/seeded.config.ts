/** Runs tests on code with one defect, which the variable `DEFECT` describes; `file` is a path from the repository on. */
import { defineConfig } from "vitest/config";

const { file, find, put } = JSON.parse(process.env.DEFECT ?? "{}") as Record<string, string>;

export default defineConfig({
  resolve: { tsconfigPaths: true },
  oxc: { jsx: { importSource: "preact" } },
  plugins: [
    {
      name: "defect",
      enforce: "pre",
      transform(code, id) {
        if (!id.endsWith(`/${file}`) || find === undefined) return undefined;
        const parts = code.split(find);
        if (parts.length !== 2) throw new Error(`"${find}" occurs ${parts.length - 1} times in ${file}, not once.`);
        return parts.join(put);
      },
    },
  ],
  test: {
    include: ["test/docs/*.test.ts"],
    bail: 1,
    maxWorkers: 1,
    isolate: false,
    testTimeout: 10_000,
    hookTimeout: 60_000,
  },
});
