/** Operations × statuses × codes, every cell through the client against the mock. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { editions } from "../../scripts/contract/project.ts";
import { type Mock, startMock } from "../../scripts/mock/mock.ts";
import { type AnyCall, contractOf, exampleCalls, makeClient } from "../support/clients.ts";
import { type Cell, cellsOf, exercise, formatMatrix } from "./matrix.ts";

describe.each(editions)("edition %s", async (edition) => {
  const contract = await contractOf(edition);
  const cells = cellsOf(contract);
  const exercised = new Set<Cell>();
  let mock: Mock;
  let client: Record<string, AnyCall>;

  beforeAll(async () => {
    mock = await startMock({ document: contract.document, port: 0, depositPort: 0 });
    client = makeClient(edition, { baseUrl: mock.url, depositBaseUrl: mock.depositUrl, apiKey: "key-of-the-test" });
  });

  afterAll(async () => {
    await mock.close();
    console.log(`\nEdition ${edition}\n${formatMatrix(cells, exercised)}`);
  });

  it.each(
    cells.map((cell) => ({
      cell,
      name: cell.operation.operationId,
      status: cell.answer.status,
      example: cell.example,
    })),
  )("$name $status $example", async ({ cell }) => {
    expect(await exercise(cell, client, contract.document)).toEqual([]);
    exercised.add(cell);
  });

  it("leaves no documented answer out", () => {
    const answers = contract.operations.flatMap(({ operationId, answers }) =>
      answers.flatMap(({ status, codes }) =>
        (codes.length === 0 ? [""] : codes).map((code) => `${operationId} ${status} ${code}`),
      ),
    );
    const covered = new Set(
      [...exercised].map(({ operation, answer, code }) => `${operation.operationId} ${answer.status} ${code ?? ""}`),
    );
    expect(answers.filter((answer) => !covered.has(answer))).toEqual([]);
  });

  it("answers a valid call without a preference with a success", async () => {
    for (const operation of contract.operations) {
      const cell = cells.find(
        (candidate) => candidate.operation === operation && candidate.answer.status < 300,
      ) as Cell;
      const result = await client[operation.operationId]?.(exampleCalls(operation)[0]?.options);
      expect({ operationId: operation.operationId, status: result?.status, error: result?.error }).toEqual({
        operationId: operation.operationId,
        status: cell.answer.status,
        error: undefined,
      });
    }
  });
});
