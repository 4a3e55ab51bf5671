/** Generates the file `error-texts.ts`: the meaning of each P-code, and what to do about it. */
import { type Contract, findSensitiveNames, resolutionWithNames } from "../../../contract/model/index.ts";
import { contractTypesPath, generatedNotice, oneLine, toLiteral, toMembers } from "../writing/text.ts";

export function errorTextsSource(contract: Contract): string {
  const rows = contract.errorCodes.map((entry) => {
    // One line, because programs write the text to logs.
    const resolution = oneLine(resolutionWithNames(entry, contract));
    return [entry.code, toLiteral({ meaning: oneLine(entry.meaning), resolution })] as const;
  });
  return `${generatedNotice}
import type { ErrorTables } from "${contractTypesPath}";

export const catalogue: ErrorTables["catalogue"] = {
${toMembers(rows)}
};

export const sensitiveNames: ErrorTables["sensitiveNames"] = ${toLiteral(findSensitiveNames(contract.root))};
`;
}
