import { createLoan, type RuleCase, resources, webhook } from "./rule-case.ts";

/** Nobody has stated how the status of a loan changes. */
const proposedWays = {
  file: resources,
  find: "      initial: LENT\n",
  put: "      provenance: proposed\n      initial: LENT\n",
};

export const machineDataCases: RuleCase[] = [
  {
    rule: "dedupe-key",
    breaks: "a key without the identifier",
    edits: [{ file: webhook, find: "x-dedupe-key: { fields: [loanId] }", put: "x-dedupe-key: { fields: [status] }" }],
    at: [webhook, "»x-dedupe-key:"],
    problem: "The key does not hold the identifier of the loan, loanId.",
  },
  {
    rule: "dedupe-key",
    breaks: "a key without the status of a resource that has several events",
    edits: [{ file: webhook, find: "after: [RETURNED]", put: "after: [LATE, RETURNED]" }],
    at: [webhook, "»x-dedupe-key:"],
    problem: "More than one event of a loan is sent, and the key does not hold its status.",
  },
  {
    rule: "dedupe-key",
    breaks: "a key of a resource that can return to a status",
    edits: [
      { file: resources, find: "LATE: [RETURNED]\n", put: "LATE: [RETURNED]\n        RETURNED: [LENT]\n" },
      { file: webhook, find: "x-dedupe-key: { fields: [loanId] }", put: "x-dedupe-key: { fields: [loanId, status] }" },
    ],
    at: [webhook, "»x-dedupe-key:"],
    problem: "A loan can return to RETURNED, and the key would be the same again.",
  },
  {
    rule: "dedupe-key",
    breaks: "a key of a resource whose next one has the same identifier",
    edits: [{ file: resources, find: "  id: loanId\n", put: "  id: loanId\n  repeats: true\n" }],
    at: [webhook, "»x-dedupe-key:"],
    problem: "The next loan has the same loanId, so that its events would be taken for repetitions.",
  },
  {
    rule: "dedupe-key",
    breaks: "a field that the body does not have",
    edits: [
      { file: webhook, find: "x-dedupe-key: { fields: [loanId] }", put: "x-dedupe-key: { fields: [loanId, number] }" },
    ],
    at: [webhook, "fields: [loanId, »number] }"],
    problem: "The body of Webhook loanReturned has no field number.",
  },
  {
    rule: "effects",
    breaks: "a resource that there is not",
    edits: [{ file: createLoan, find: "creates: loan,", put: "creates: book," }],
    at: [createLoan, "- »{ creates: book"],
    problem: "There is no resource book.",
  },
  {
    rule: "effects",
    breaks: "a value that the status does not have",
    edits: [{ file: createLoan, find: "to: RETURNED", put: "to: LOST" }],
    at: [createLoan, "- »{ moves: loan"],
    problem: "LOST is no value of the loan, but LENT, LATE, RETURNED.",
  },
  {
    rule: "effects",
    breaks: "a move that the lifecycle does not have",
    edits: [{ file: createLoan, find: "to: RETURNED", put: "to: LENT" }],
    at: [createLoan, "- »{ moves: loan"],
    problem: "Nothing moves to LENT in the loan.",
  },
  {
    rule: "effects",
    breaks: "a new resource that is not new any more",
    edits: [{ file: createLoan, find: "{ creates: loan,", put: "{ creates: loan, to: LATE," }],
    at: [createLoan, "- »{ creates: loan"],
    problem: "A new loan cannot be LATE.",
  },
  {
    rule: "effects",
    breaks: "a resource with several states, of which none is named",
    edits: [
      {
        file: createLoan,
        find: "    - { moves: loan",
        put: "    - { moves: member, id: $request.body#/member, to: barred }\n    - { moves: loan",
      },
    ],
    at: [createLoan, "- »{ moves: member"],
    problem: "The resource member has several states, and none is named: membership, card.",
  },
  {
    rule: "effects",
    breaks: "an identifier that no answer has",
    edits: [
      {
        file: createLoan,
        find: "creates: loan, id: $response.body#/loanId",
        put: "creates: loan, id: $response.body#/id",
      },
    ],
    at: [createLoan, "id: »$response.body#/id }"],
    problem: "No answer of a success of createLoan has a field id.",
  },
  {
    rule: "effects",
    breaks: "an effect that counts as surer than the state that it moves",
    edits: [proposedWays],
    at: [createLoan, "- »{ moves: loan"],
    problem: "It counts as specification, but how the status of loan changes is proposed.",
  },
  {
    rule: "events",
    breaks: "an event that counts as surer than the state that it tells of",
    edits: [
      proposedWays,
      { file: createLoan, find: "to: RETURNED, later: true", put: "to: RETURNED, later: true, provenance: proposed" },
      { file: webhook, find: "after: [RETURNED]", put: "after: [LATE, RETURNED]" },
      { file: webhook, find: "x-dedupe-key: { fields: [loanId] }", put: "x-dedupe-key: { fields: [loanId, status] }" },
    ],
    at: [webhook, "»x-event:"],
    problem: "It counts as specification, but how the status of loan changes is proposed.",
  },
  {
    rule: "events",
    breaks: "a webhook that does not say what it tells of",
    edits: [
      {
        file: webhook,
        find: "  x-event:\n    resource: loan\n    after: [RETURNED]\n    body: { loanId: loanId }\n",
        put: "",
      },
    ],
    at: [webhook, "»post:"],
    problem: "Webhook loanReturned does not say what it tells of.",
  },
  {
    rule: "events",
    breaks: "a resource that there is not",
    edits: [{ file: webhook, find: "resource: loan", put: "resource: book" }],
    at: [webhook, "»x-event:"],
    problem: "There is no resource book.",
    also: ["triggers"],
  },
  {
    rule: "events",
    breaks: "a value that the status does not have",
    edits: [{ file: webhook, find: "after: [RETURNED]", put: "after: [LOST]" }],
    at: [webhook, "after: [»LOST]"],
    problem: "LOST is no value of the status of loan.",
  },
  {
    rule: "events",
    breaks: "a field that the body does not have",
    edits: [{ file: webhook, find: "body: { loanId: loanId }", put: "body: { id: loanId }" }],
    at: [webhook, "body: { id: »loanId }"],
    problem: "The body of Webhook loanReturned has no field id.",
  },
  {
    rule: "events",
    breaks: "a webhook that nothing leads to",
    edits: [{ file: createLoan, find: "  x-triggers:\n    - loanReturned\n", put: "" }],
    at: [webhook, "»x-event:"],
    problem: "Nothing leads to Webhook loanReturned.",
  },
  {
    rule: "resources",
    breaks: "an operation that there is not",
    edits: [{ file: resources, find: "details: [getLoan]", put: "details: [getBook]" }],
    at: [resources, "details: [»getBook]"],
    problem: "There is no operation getBook.",
  },
  {
    rule: "resources",
    breaks: "a status file that there is not",
    edits: [{ file: resources, find: "schema: schemas/LoanStatus.yaml", put: "schema: schemas/BookStatus.yaml" }],
    at: [resources, "schema: »schemas/BookStatus.yaml"],
    problem: "There is no status with known values in schemas/BookStatus.yaml.",
  },
  {
    rule: "resources",
    breaks: "a value that the status does not have",
    edits: [{ file: resources, find: "initial: LENT", put: "initial: [LENT, ORDERED]" }],
    at: [resources, "»status:"],
    problem: "ORDERED is no known value of LoanStatus.",
  },
  {
    rule: "resources",
    breaks: "a value of a status that nothing leads to",
    edits: [
      { file: resources, find: "LENT: [LATE, RETURNED]", put: "LENT: [RETURNED]" },
      { file: resources, find: "        LATE: [RETURNED]\n", put: "" },
    ],
    at: [resources, "»status:"],
    problem: "The value LATE of status cannot be reached.",
  },
  {
    rule: "resources",
    breaks: "a value that nothing leads to",
    edits: [
      {
        file: resources,
        find: "        barred: [ordinary]\n",
        put: "        barred: [ordinary]\n        left: [ordinary]\n",
      },
    ],
    at: [resources, "»membership:"],
    problem: "The value left of membership cannot be reached.",
  },
  {
    rule: "resources",
    breaks: "a happening that moves to a value that the state does not have",
    edits: [{ file: resources, find: "      to: barred", put: "      to: expelled" }],
    at: [resources, "»feeIsOwed:"],
    problem: "expelled is no value of the membership of member, but ordinary, barred.",
  },
  {
    rule: "triggers",
    breaks: "a webhook that there is not, with a mark",
    edits: [
      {
        file: createLoan,
        find: "    - loanReturned\n",
        put: "    - loanReturned\n    - { webhook: loanLost, provenance: proposed }\n",
      },
    ],
    at: [createLoan, "- »{ webhook: loanLost"],
    problem: "There is no webhook loanLost.",
  },
  {
    rule: "provenance",
    breaks: "a mark on an effect that does not weaken it",
    edits: [
      {
        file: createLoan,
        find: "to: RETURNED, later: true",
        put: "to: RETURNED, later: true, provenance: specification",
      },
    ],
    at: [createLoan, "provenance: »specification }"],
    problem: "The mark specification is not weaker than what encloses it, wherever it is used.",
  },
  {
    rule: "triggers",
    breaks: "a webhook of a resource that the operation does not change",
    edits: [
      {
        file: createLoan,
        find: `    - { creates: loan, id: $response.body#/loanId }
    - { moves: loan, id: $response.body#/loanId, to: RETURNED, later: true }
`,
        put: "    - { moves: member, id: $request.body#/member, state: membership, to: barred }\n",
      },
    ],
    at: [createLoan, "- »loanReturned"],
    problem: "createLoan leads to loanReturned, which tells of a loan, but neither creates nor moves one.",
  },
];
