import { conditions } from "../conditions.ts";
import type { Effect, Entity, Journey } from "../journey.ts";

const makeRow = (reference: string, values: Readonly<Record<string, string>>) => ({
  reference,
  email: `${reference}@users.example`,
  city: "Brno",
  postCode: "60200",
  country: "CZ",
  birthDate: "1990-02-17",
  documentExpirationDate: "2031-03-31",
  openAccountReason: "DAILY_USE",
  incomeSource: "SALARY",
  occupation: "IT",
  additionalInfo: "Software developer",
  ...values,
});

/** Two users who can be verified, by documents and on a hosted page; a user who is rejected; and a user whose country is not served. */
const rows: Journey["rows"] = [
  makeRow("ada-1", {
    way: "documents",
    phone: "420601000701",
    firstName: "Ada",
    lastName: "Example",
    documentType: "ID_CARD",
    documentNumber: "OP7100001",
    front: "@front.png",
    back: "@back.png",
    selfie: "@selfie.png",
  }),
  makeRow("bo-2", {
    way: "hosted",
    phone: "420601000702",
    firstName: "Bo",
    lastName: "Example",
    documentType: "PASSPORT",
    documentNumber: "OP7100002",
  }),
  makeRow("cy-3", {
    way: "documents",
    phone: "420601000703",
    firstName: "Cy",
    lastName: "Example",
    country: "XN",
    documentType: "PASSPORT",
    documentNumber: "OP7100003",
    front: "@front.png",
    selfie: "@selfie.png",
  }),
  makeRow("dee-4", {
    way: "hosted",
    phone: "420601000704",
    firstName: "Dee",
    lastName: "Example",
    country: "XF",
    documentType: "ID_CARD",
    documentNumber: "OP7100004",
  }),
];

/** The provider rejects the documents of `cy-3`, and the country of `dee-4` is not served (P431). */
const impossibleReferences = ["cy-3", "dee-4"];

const attributeNames = ["email", "phone", "firstName", "lastName", "city", "postCode", "country", "birthDate"];
const describeUser = (reference: string) => `the user ${reference}`;

function effectsOf({ resource, id, data, states }: Entity): readonly Effect[] {
  if (resource !== "user") return [];
  const {
    attributes: actualAttributes,
    documentNumber,
    attempts,
  } = data as {
    readonly attributes: Readonly<Record<string, unknown>>;
    readonly documentNumber: string | null;
    readonly attempts: number;
  };
  const row = rows.find(({ reference }) => reference === id);
  const wrongFields = attributeNames.filter((name) => row !== undefined && actualAttributes[name] !== row[name]);
  if (row !== undefined && documentNumber !== null && documentNumber !== row.documentNumber)
    wrongFields.push("documentNumber");
  const description = row === undefined ? `${describeUser(id)}, created without a row,` : describeUser(id);
  return [
    ...(wrongFields.length > 0
      ? [{ description: `${description} with a wrong ${wrongFields.join(", ")}`, hasFailed: false }]
      : []),
    ...(row === undefined || (states.verification === "verified" && wrongFields.length === 0)
      ? [{ description, hasFailed: false }]
      : []),
    ...Array.from({ length: Math.max(0, attempts - 1) }, () => ({
      description: `${description}, finalised once more (each attempt counts, P430)`,
      hasFailed: false,
    })),
  ];
}

export const onboarding: Journey = {
  name: "onboarding",
  text: "creates users and has them verified, by documents or on a hosted page",
  columns: [
    "reference",
    "way",
    ...attributeNames,
    "documentType",
    "documentNumber",
    "documentExpirationDate",
    "openAccountReason",
    "incomeSource",
    "occupation",
    "additionalInfo",
    "front",
    "back",
    "selfie",
  ],
  rows,
  files: Object.fromEntries(["front.png", "back.png", "selfie.png"].map((name) => [name, `in place of ${name}`])),
  expectedEffects: rows.map(({ reference = "" }) => ({
    reference,
    description: describeUser(reference),
    cannotSucceed: impossibleReferences.includes(reference),
  })),
  operations: ["createUserAccount", "addKycFiles", "createKycVerification", "addUserVerification"],
  conditions: conditions.filter(({ isForPayments }) => isForPayments !== true),
  secrets: rows.flatMap(({ phone = "", documentNumber = "" }) => [
    { name: "the phone number", text: phone },
    { name: "the document number", text: documentNumber },
  ]),
  async prepare(world) {
    // In seconds: a decision comes while the program still runs, but not before it has made its next call.
    world.assume({ delays: { kycFiles: 0, kycCheck: 0.2, kycDecision: 0.3, balances: 0, wallet: 0, iban: 0 } });
  },
  findEffects: (entities) => entities.flatMap(effectsOf),
  successWord: "verified",
};
