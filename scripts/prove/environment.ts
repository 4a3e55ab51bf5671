import { basename } from "node:path";
import type { RunningMock } from "../mock/host/index.ts";
import type { ProveOptions } from "./options.ts";

/**
 * The environment of the program: the variables of this process, but with only those PARTNER_WALLET_ variables that `prove` sets.
 *
 * @param variables further variables, named without the prefix PARTNER_WALLET_.
 */
export function programEnv(
  { url, depositUrl }: Pick<RunningMock, "url" | "depositUrl">,
  { hasFullPauses }: Pick<ProveOptions, "hasFullPauses">,
  variables: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^PARTNER_WALLET_/i.test(name));
  const allVariables = {
    BASE_URL: url,
    DEPOSIT_BASE_URL: depositUrl,
    ...(hasFullPauses ? {} : { PROVE: "1" }),
    ...variables,
  };
  const prefixed = Object.entries(allVariables).map(([name, value]) => [`PARTNER_WALLET_${name}`, value]);
  return Object.fromEntries([...others, ...prefixed]);
}

/** Whether a program gets the time of {@link timeEnv}: it is started by `node` or `tsx`. */
export function canBeGivenTime([program = "", ...args]: readonly string[]): boolean {
  const name = (word: string) => basename(word, ".exe");
  return ["node", "tsx"].includes(name(program)) || (name(program) === "npx" && args[0] === "tsx");
}

/** A module in JavaScript, which is imported before a program on Node.js and changes its clock. */
const changedClock = (aheadMs: number) => `
const { now } = Date;
const changed = () => now() + ${aheadMs};
globalThis.Date = new Proxy(Date, {
  construct: (real, args, made) => Reflect.construct(real, args.length > 0 ? args : [changed()], made),
  apply: (real) => new real(changed()).toString(),
  get: (real, name) => (name === "now" ? changed : Reflect.get(real, name)),
});`;

/** The variable by which a program on Node.js starts at a time. Its clock goes on from there. */
export function timeEnv(startsAt: number | undefined): NodeJS.ProcessEnv {
  if (startsAt === undefined) return {};
  const module = `data:text/javascript,${encodeURIComponent(changedClock(startsAt - Date.now()))}`;
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --import ${module}`.trim() };
}
