import { describe, expect, test } from "vitest";
import { createMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";
import { exampleCall, operationNamed, send } from "./codes/calls.ts";

const mock = createMock(plan, { edition: "test", stateless: true });

describe("the syntax of a preference", () => {
  const operation = operationNamed(plan, "createUserAccount");
  const call = async (prefer: string) => {
    const response = await send(mock, exampleCall(operation, mock.apiKey), { prefer });
    const { errorCode } = (await response.json()) as { errorCode?: string };
    return {
      status: response.status,
      errorCode,
      applied: response.headers.get("preference-applied"),
      warning: response.headers.get("x-mock-warning"),
    };
  };

  test.each([
    ["code=400, example=P411"],
    ["code=400; example=P411"],
    ["code=400;example=P411"],
    ['code="400", example="P411"'],
    ["Code=400, EXAMPLE=P411"],
    ["example=P411, code=400"],
    ["respond-async, wait=10, code=400, example=P411"],
    ["code=400, example=P411, code=201"],
  ])("%s", async (prefer) => {
    expect(await call(prefer)).toEqual({
      status: 400,
      errorCode: "P411",
      applied: "code=400, example=P411",
      warning: null,
    });
  });

  test("an example name or a P-code alone selects the response that has it", async () => {
    expect(await call("example=P464")).toMatchObject({ status: 400, errorCode: "P464", applied: "example=P464" });
    expect(await call("code=P464")).toMatchObject({ status: 400, errorCode: "P464", applied: "code=P464" });
    expect(await call("example=proofOfAddressNotRequired")).toMatchObject({ status: 201 });
  });

  test("a preference for an undocumented response is ignored, with a warning that lists the choices", async () => {
    const { warning, ...response } = await call("code=418");
    expect(response).toEqual({ status: 201, errorCode: undefined, applied: null });
    for (const { status } of operation.responses) {
      const names = operation.responses.filter((response) => response.status === status).map(({ example }) => example);
      expect(warning).toContain(`code=${status} with example=${names.join("|")}`);
    }
  });

  test("the documented one of two preferences is applied", async () => {
    expect(await call("code=400, example=nonsense")).toMatchObject({
      status: 400,
      applied: "code=400",
      warning: expect.stringContaining("Choose from"),
    });
    expect(await call("code=999, example=P465")).toMatchObject({ errorCode: "P465", applied: "example=P465" });
  });

  test.each(["", " ", "=", ",;,;", "code", "code=", 'code="', "example==P411", "\xe4\xf6=\xfc", "a=b".repeat(2000)])(
    "an invalid header is ignored: %j",
    async (prefer) => {
      expect((await call(prefer)).status).toBe(201);
    },
  );

  test("Prefer takes precedence over a missing or given API key; other preferences do not", async () => {
    const statusOf = async (apiKey: string | undefined, prefer: string) => {
      const call = exampleCall(operationNamed(plan, "listUserCards"), mock.apiKey);
      return (await send(mock, { ...call, key: apiKey }, { prefer })).status;
    };
    expect(await statusOf(undefined, "code=200")).toBe(200);
    expect(await statusOf(undefined, "return=minimal")).toBe(401);
    expect(await statusOf(mock.apiKey, "code=401")).toBe(401);
  });
});
