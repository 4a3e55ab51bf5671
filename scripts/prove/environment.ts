import { basename } from "node:path";
import type { RunningMock } from "../mock/host/index.ts";
import type { ProveOptions } from "./options.ts";

/**
 * The PARTNER_WALLET_ variables of this process are not passed on: `prove` sets its own.
 *
 * @param variables further variables, named without the prefix PARTNER_WALLET_.
 */
export function programEnv(
  { url, depositUrl }: Pick<RunningMock, "url" | "depositUrl">,
  { hasFullPauses }: Pick<ProveOptions, "hasFullPauses">,
  variables: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const otherVariables = Object.entries(process.env).filter(([name]) => !/^PARTNER_WALLET_/i.test(name));
  const allVariables = {
    BASE_URL: url,
    DEPOSIT_BASE_URL: depositUrl,
    ...(hasFullPauses ? {} : { PROVE: "1" }),
    ...variables,
  };
  const prefixedVariables = Object.entries(allVariables).map(([name, value]) => [`PARTNER_WALLET_${name}`, value]);
  return Object.fromEntries([...otherVariables, ...prefixedVariables]);
}

/** Whether the start time of a program can be set ({@link startTimeEnv}): only if `node`, `tsx` or `npx tsx` starts the program. */
export function supportsStartTime([program = "", ...args]: readonly string[]): boolean {
  const programName = (word: string) => basename(word, ".exe");
  return ["node", "tsx"].includes(programName(program)) || (programName(program) === "npx" && args[0] === "tsx");
}

/** The module is imported before the program, and moves the clock of a program on Node.js. */
const clockModuleOf = (aheadMs: number) => `
const { now } = Date;
const changed = () => now() + ${aheadMs};
globalThis.Date = new Proxy(Date, {
  construct: (real, args, made) => Reflect.construct(real, args.length > 0 ? args : [changed()], made),
  apply: (real) => new real(changed()).toString(),
  get: (real, name) => (name === "now" ? changed : Reflect.get(real, name)),
});`;

/**
 * With these variables, the clock of a program on Node.js starts at `startsAt`.
 *
 * @param startsAt milliseconds since 1970; undefined for the current time, which needs no variable.
 */
export function startTimeEnv(startsAt: number | undefined): NodeJS.ProcessEnv {
  if (startsAt === undefined) return {};
  const module = `data:text/javascript,${encodeURIComponent(clockModuleOf(startsAt - Date.now()))}`;
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --import ${module}`.trim() };
}
