/** Generates the file `contract.ts`: what every call needs of the contract. The rest is loaded on demand. */
import { readManifest } from "../../../base/index.ts";
import type { Contract, ErrorCode } from "../../../contract/model/index.ts";
import { contractTypesPath, generatedNotice, toLiteral } from "../writing/text.ts";

const retryValues = ["none", "never", "after-change", "later", "unknown"] as const satisfies ErrorCode["retry"][];

export function contractSource({ errorCodes }: Contract): string {
  const { name, version } = readManifest();
  const codes = retryValues.map((retry) => {
    return [retry, errorCodes.filter((entry) => entry.retry === retry).map(({ code }) => code)] as const;
  });
  return `${generatedNotice}
import type { ClientContract } from "${contractTypesPath}";

export const contract: ClientContract = {
  codes: ${toLiteral(Object.fromEntries(codes))},
  errorTables: () => import("./error-texts.ts"),
  userAgent: ${toLiteral(`${name}/${version}`)},
  requests: () => import("./request-schemas.ts"),
  responses: () => import("./response-schemas.ts"),
};
`;
}
