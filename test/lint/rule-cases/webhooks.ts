import { createLoan, type RuleCase, resources, root, webhook } from "./rule-case.ts";

/** A second webhook, on the path of the first. */
const loanLate = `post:
  summary: Loan late
  description: A member should have returned a book.
  tags: [Loans]
  security: [{ token: [] }, {}]
  requestBody:
    required: true
    content:
      application/json:
        schema:
          $ref: ../schemas/Loan.yaml
        examples:
          late:
            summary: A book that is due
            value: { loanId: L-0005, status: LATE }
  responses:
    "200":
      description: The partner has received the event.
      content:
        application/json:
          schema: { title: Receipt, type: object }
          examples:
            received: { summary: An empty object, value: {} }
  x-provenance: specification
  x-webhook-path: { path: /loan-returned }
  x-event: { resource: member, state: membership, after: [barred] }
`;

export const webhooksCases: RuleCase[] = [
  {
    rule: "triggers",
    breaks: "a webhook that there is not",
    edits: [{ file: createLoan, find: "- loanReturned", put: "- loanLost" }],
    at: [createLoan, "- »loanLost"],
    problem: "There is no webhook loanLost.",
    also: ["events"],
  },
  {
    rule: "webhook-delivery",
    breaks: "a delay too few",
    edits: [{ file: resources, find: "delays: [5, 10]", put: "delays: [5]" }],
    at: [resources, "»delays:"],
    problem: "3 attempts have 2 delays between them, not 1.",
  },
  {
    rule: "webhook-delivery",
    breaks: "a webhook on the health path",
    edits: [{ file: webhook, find: "path: /loan-returned", put: "path: /health" }],
    at: [webhook, "path: »/health"],
    problem: "Webhook loanReturned has the health path.",
  },
  {
    rule: "webhook-form",
    breaks: "a webhook that is no POST",
    edits: [{ file: webhook, find: "post:", put: "put:" }],
    at: [webhook, "»put:"],
    problem: "Webhook loanReturned is a PUT.",
  },
  {
    rule: "webhook-form",
    breaks: "a webhook without path",
    edits: [{ file: webhook, find: "  x-webhook-path:\n    path: /loan-returned\n", put: "" }],
    at: [webhook, "»post:"],
    problem: "Webhook loanReturned has no path on the partner's server.",
  },
  {
    rule: "webhook-form",
    breaks: "a webhook without JSON",
    edits: [
      {
        file: webhook,
        find: "  requestBody:\n    required: true\n    content:\n      application/json:",
        put: "  requestBody:\n    required: true\n    content:\n      application/xml:",
      },
    ],
    at: [webhook, "»requestBody:"],
    problem: "Webhook loanReturned has no JSON body.",
  },
  {
    rule: "webhook-form",
    breaks: "a webhook that is answered otherwise",
    edits: [{ file: webhook, find: '"200":', put: '"201":' }],
    at: [webhook, "»responses:"],
    problem: "Webhook loanReturned is not answered with 200 and a JSON object.",
  },
  {
    rule: "webhook-path",
    breaks: "two webhooks on one path",
    edits: [
      {
        file: root,
        find: "    $ref: webhooks/loanReturned.yaml\n",
        put: "    $ref: webhooks/loanReturned.yaml\n  loanLate:\n    $ref: webhooks/loanLate.yaml\n",
      },
      { file: "webhooks/loanLate.yaml", write: loanLate },
    ],
    at: ["webhooks/loanLate.yaml", "path: »/loan-returned"],
    problem: "Webhook loanLate has the same path as the webhook loanReturned.",
  },
];
