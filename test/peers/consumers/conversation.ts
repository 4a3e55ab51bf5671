import { readFileSync } from "node:fs";
import { type Edition, editionFolder } from "../../../scripts/base/index.ts";
import { isRef, type OpenApiDocument } from "../../../scripts/contract/model/index.ts";
import { startMock } from "../../../scripts/mock/index.ts";

/** Matches the names that generators make up for schemas without a name. */
export const madeUpName = /Inline|All_?Of|Any_?Of|Two|OneOf/;

export interface Event {
  /** The name of the component that describes the body. */
  schema: string;
  body: unknown;
}

/**
 * Starts a mock with the scenario, and makes the input of a program that uses code generated from the OpenAPI 3.0 document. The program
 * creates a user, transfers money, and reads a history and an event of each webhook.
 */
export async function startConversation(edition: Edition) {
  const file = `${editionFolder(edition)}/openapi-3.0.json`;
  const document = JSON.parse(readFileSync(file, "utf8")) as OpenApiDocument;
  const { "x-webhooks": webhooks = {} } = document as { "x-webhooks"?: OpenApiDocument["webhooks"] };
  const mock = await startMock({ edition, scenario: true });
  const latestBodies = new Map(mock.deliveries.map(({ webhook, body }) => [webhook, body]));
  const events = [...latestBodies].map(([name, body]): Event => {
    const request = webhooks[name]?.post?.requestBody;
    const schema = isRef(request) ? undefined : request?.content["application/json"]?.schema;
    if (!isRef(schema)) throw new Error(`The event ${name} has no schema of its own.`);
    return { schema: schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1), body: JSON.parse(body) };
  });
  const user = {
    externalUserId: "user-9001",
    email: "ada@mail.example",
    phone: "447700900701",
    firstName: "Ada",
    lastName: "Example",
    city: "Berlin",
    postCode: "10115",
    country: "DE",
    birthDate: "1990-01-31",
  };
  const payment = { sourceExternalUserId: "user-1042", destinationExternalUserId: "user-2077" };
  const programInput = {
    user,
    transfer: { ...payment, amount: "5.00", currency: "eur" },
    history: "/v1/user/transaction-history/user-1042/04/2026",
    events,
  };
  return { file, document, programInput, url: mock.url, close: () => mock.close() };
}
