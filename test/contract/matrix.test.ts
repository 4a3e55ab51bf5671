import type { Client, Deviation } from "partner-wallet-api";
import { createRawClient } from "partner-wallet-api/raw";
import { describe, expect, it } from "vitest";
import { createMock } from "../../scripts/mock/host/mock.ts";
import { exampleCalls, makeClient } from "../support/clients.ts";
import { contractOf } from "../support/contract.ts";
import { plan } from "../support/plan.ts";
import { cellsOf, type RawRequest, runCell, runRawCell } from "./matrix.ts";

describe("every operation", async () => {
  const contract = await contractOf("test");
  const cells = cellsOf(contract);
  const { clientOptions } = createMock(plan, { edition: "test", stateless: true });
  const deviations: Deviation[] = [];
  const client = makeClient("test", { ...clientOptions, onDeviation: (deviation) => void deviations.push(deviation) });

  it.each(cells.map((cell) => [cell.operation.operationId, cell.response.status, cell.example, cell] as const))(
    "%s %s %s",
    async (_operationId, _status, _example, cell) => {
      expect(await runCell(cell, client, contract.document)).toEqual([]);
      expect(deviations.splice(0)).toEqual([]);
    },
  );

  it("has each documented response with the plain openapi-fetch client as well", { timeout: 120_000 }, async () => {
    const request = createRawClient(client as unknown as Client).request as unknown as RawRequest;
    const problems: string[] = [];
    for (const cell of cells) problems.push(...(await runRawCell(cell, request)));
    expect(problems).toEqual([]);
  });

  it("has a row for every documented response", () => {
    const responses = contract.operations.flatMap(({ operationId, responses }) =>
      responses.flatMap(({ key, codes }) =>
        (codes.length === 0 ? [""] : codes).map((code) => `${operationId} ${key} ${code}`),
      ),
    );
    const cellNames = cells.map(({ operation, response, code = "" }) => {
      return `${operation.operationId} ${response.key} ${response.codes.includes(code) ? code : ""}`;
    });
    expect(responses.filter((response) => !cellNames.includes(response))).toEqual([]);
  });

  it.each(contract.operations.map((operation) => [operation.operationId, operation] as const))(
    "%s returns its success to a valid call",
    async (_operationId, operation) => {
      const success = operation.responses.find(({ status }) => status < 300);
      const { status, error } = (await client[operation.operationId]?.(exampleCalls(operation)[0]?.options)) ?? {};
      expect({ status, error }).toEqual({ status: success?.status, error: undefined });
    },
  );
});
