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
