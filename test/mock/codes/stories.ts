/** The refusals of single operations that rest on what has happened before. */
import type { InProcessMock } from "../../../scripts/mock/mock.ts";
import { type Call, picture, send, withBody, withValueAt } from "./calls.ts";
import { lockStories, moneyStories } from "./money-stories.ts";
import type { Provocation } from "./provocations.ts";
import { perform, type Stage, successOf } from "./stage.ts";

type Told = readonly [why: string, changed: Call, names: string | undefined, before?: Provocation["before"]];

/** Stories of an operation and a code, as far as there are any. */
export function storiesOf(stage: Stage, call: Call, pair: string): Provocation[] {
  const { operationId } = call.operation;
  const all = [
    stories[`${operationId} ${pair}`],
    stories[pair],
    lockStories[`${operationId} ${pair}`],
    moneyStories[pair],
  ];
  return all
    .flatMap((story) => story?.(call, stage) ?? [])
    .map(([why, changed, names, before]) => ({ why, call: changed, names, before }));
}

export type Stories = Readonly<Record<string, (call: Call, stage: Stage) => readonly Told[]>>;

/** An identifier that nothing has. */
export const unknownId = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** A user with one of the countries of `openapi/mock.yaml`, files uploaded. */
const applicantFrom = (country: string) => async (mock: InProcessMock, stage: Stage) => {
  mock.users.create("person", { attributes: { country } });
  await perform(mock, stage, "addKycFiles", { externalUserId: "person" });
};

const deleteCard = (mock: InProcessMock, stage: Stage) => perform(mock, stage, "deleteCard");

const person = (call: Call, why: string, country: string): Told[] => [
  [why, withBody(call, { externalUserId: "person" }), "person", applicantFrom(country)],
];

const stories: Stories = {
  "createUserAccount P411": (call) => [
    ["an externalUserId that is taken", withBody(call, { externalUserId: "friend" }), "friend"],
    [
      "one of a deleted user",
      withBody(call, { externalUserId: "friend" }),
      "friend",
      (mock, stage) => perform(mock, stage, "deleteUser"),
    ],
  ],
  "createUserAccount P431": (call) => [["a forbidden country", withBody(call, { country: "XF" }), "XF"]],
  "updateUser P452": (call) => [["another country", withBody(call, { country: "SE" }), "SE"]],
  P464: (call) => [["a phone of another user", withBody(call, { phone: "4915559999" }), "phone", addNeighbour]],
  P465: (call) =>
    ["neighbour@users.example", "NEIGHBOUR@users.example"].map((email) => [
      `an e-mail address of another user: ${email}`,
      withBody(call, { email }),
      "email",
      addNeighbour,
    ]),
  "suspendUser P454": (call) => [
    ["a user with an active card", withValueAt(call, "$request.path.externalUserId", "owner"), "owner"],
  ],
  "getUserBalances P459": (call) => [balancesToCome(call)],
  "getSepaDepositInfo P459": (call) => [balancesToCome(call)],

  "addKycFiles P426": (call) => [
    ["a text file", withBody(call, { selfie: picture("text/plain") }), "selfie"],
    ["a text file among others", withBody(call, { back_id: picture("application/zip") }), "application/zip"],
  ],
  "addKycFiles P439": (call) => [
    ["no file", { ...call, body: {} }, "body"],
    ["unknown parts only", { ...call, body: { passport: picture() } }, "body"],
    ["a text in the place of a file", withBody(call, { selfie: "selfie" }), "selfie"],
    ["an empty file", withBody(call, { selfie: picture("image/png", 0) }), "selfie"],
  ],
  "addKycFiles P440": (call) => [
    ["a file of more than 5 MiB", withBody(call, { front_id: picture("image/png", 5 * 2 ** 20 + 1) }), "front_id"],
  ],
  "addPoaFiles P403": (call) => [
    ["no file", { ...call, body: {} }, "body"],
    ["an empty file", withBody(call, { files: [picture("image/png", 0)] }), "files"],
  ],
  "addPoaFiles P426": (call) => [["a text file", withBody(call, { files: [picture("text/plain")] }), "files"]],
  "addPoaFiles P440": (call) => [
    ["a file of more than 5 MiB", withBody(call, { files: [picture("image/png", 5 * 2 ** 20 + 1)] }), "files"],
  ],
  "addPoaFiles P211": (call) => [["files while others are checked", call, "owner", addProof]],
  "addPoaFiles P447": (call) => [
    [
      "files after the approval",
      call,
      "owner",
      async (mock, stage) => {
        await addProof(mock, stage);
        await mock.clock.advance("1 hour");
      },
    ],
  ],
  "addPoaFiles P460": (call) => [
    [
      "a user whose country requires none",
      withValueAt(call, "$request.path.externalUserId", "swede"),
      "swede",
      (mock) => mock.users.create("swede", { attributes: { country: "SE" } }),
    ],
  ],

  "addUserVerification P213": (call) => person(call, "a country with additional risk verification", "XR"),
  "addUserVerification P427": (call) => [
    ["without files", withBody(call, { externalUserId: "newcomer" }), "selfie of newcomer"],
    ["without the selfie", call, "selfie of applicant", onlyFront],
  ],
  "addUserVerification P430": (call) => [["five rejected attempts", call, "applicant", rejectFive]],
  "addUserVerification P442": (call) => [["a verified user", withBody(call, { externalUserId: "friend" }), "friend"]],
  "addUserVerification P446": (call) => [
    ["an expired document", withBody(call, { documentExpirationDate: "2026-03-31" }), "2026-03-31"],
  ],
  "addUserVerification P466": (call) => [
    [
      "a document of another user",
      call,
      "documentNumber",
      async (mock, stage) => {
        await perform(mock, stage, "addKycFiles", { externalUserId: "newcomer" });
        await perform(mock, stage, "addUserVerification", { externalUserId: "newcomer" });
      },
    ],
  ],
  "addUserVerification P474": (call) => person(call, "a country with high risk", "XH"),
  "addUserVerification P475": (call) => [
    ...person(call, "a country that the risk check rejects", "XJ"),
    [
      "after a rejected risk verification",
      call,
      "applicant",
      (mock) => {
        mock.happen("riskVerification", "riskIsChecked", { externalUserId: "applicant" });
        mock.happen("riskVerification", "riskIsDecided", { externalUserId: "applicant", status: "REJECTED" });
      },
    ],
  ],
  "redirectToKycVerification P445": (call) => [
    ["a user without a verification", withValueAt(call, "$request.path.externalUserId", "newcomer"), "newcomer"],
    ["another verification", withValueAt(call, "$request.path.verificationId", unknownId), unknownId],
  ],
  "getKycStatus P445": (call) => [
    ["a user without a verification", withValueAt(call, "$request.path.externalUserId", "newcomer"), "newcomer"],
  ],

  "createVirtualCard P451": (call) => [
    [
      "a country without cards",
      withBody(call, { externalUserId: "person" }),
      "person",
      (mock) => mock.users.create("person", { extended: true, attributes: { country: "XC" } }),
    ],
  ],
  "createVirtualCard P455": (call) => [
    [
      "a suspended user",
      withBody(call, { externalUserId: "friend" }),
      "friend",
      async (mock, stage) => {
        mock.users.extend("friend");
        await perform(mock, stage, "suspendUser");
      },
    ],
  ],
  P434: (call) => {
    const place = call.body === undefined ? "$request.path.cardId" : "$request.body#/cardId";
    const cardId = String(call.body?.cardId ?? call.path.cardId);
    const ofOther = withValueAt(call, place.replace("cardId", "externalUserId"), "friend");
    // The details of a deleted card can still be read.
    const isRefused = call.operation.operationId !== "getCardDetails";
    return [
      ["an unknown card", withValueAt(call, place, unknownId), unknownId],
      ["a card of another user", ofOther, cardId, (mock) => mock.users.extend("friend")],
      ...(isRefused ? [["a deleted card", call, cardId, deleteCard] as const] : []),
    ];
  },
  "blockCard P403": (call) => [blocked(call)],
  "unblockCard P403": (call) => [blocked(call)],
};

function blocked(call: Call): Told {
  const cardId = String(call.body?.cardId);
  return [
    "a card that the service has blocked",
    call,
    cardId,
    (mock) => mock.happen("card", "cardIsBlocked", { cardId }),
  ];
}

function balancesToCome(call: Call): Told {
  const changed = withValueAt(call, "$request.path.externalUserId", "applicant");
  const before: Provocation["before"] = async (mock, stage) => {
    await perform(mock, stage, "addUserVerification");
    mock.happen("kycVerification", "kycIsDecided", { externalUserId: "applicant" });
  };
  return ["a verified user whose balances are to come", changed, "applicant", before];
}

function addNeighbour(mock: InProcessMock): void {
  const attributes = { phone: "4915559999", email: "neighbour@users.example" };
  mock.users.create("neighbour", { attributes });
}

function addProof(mock: InProcessMock, stage: Stage): unknown {
  return perform(mock, stage, "addPoaFiles");
}

/** The files of the applicant are lost, and only the front is uploaded again. */
async function onlyFront(mock: InProcessMock, stage: Stage): Promise<void> {
  await perform(mock, stage, "deleteUser", { externalUserId: "applicant" });
  const state = mock.state();
  const entities = state.entities.filter((entity) => (entity as { id: string }).id !== "applicant");
  mock.restore({ ...state, entities });
  mock.users.create("applicant");
  const upload = { ...successOf(stage, "addKycFiles"), body: { front_id: picture() } };
  if (!(await send(mock, upload)).ok) throw new Error("The upload was refused.");
}

async function rejectFive(mock: InProcessMock, stage: Stage): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await perform(mock, stage, "addUserVerification");
    const about = { externalUserId: "applicant", status: "REJECTED_BY_PROVIDER" };
    mock.happen("kycVerification", "kycIsDecided", about);
  }
}
