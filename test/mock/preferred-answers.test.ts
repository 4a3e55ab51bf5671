/** `Prefer` chooses any documented answer. */
import { beforeAll, describe, expect, test } from "vitest";
import { expectDocumented, key, makeTestMock, operationOf, urlOf, validInit } from "./support.ts";

let mock: Awaited<ReturnType<typeof makeTestMock>>;
beforeAll(async () => {
  mock = await makeTestMock();
});

describe("the syntax of a preference", () => {
  const call = async (prefer: string) => {
    const operation = operationOf(mock, "createUserAccount");
    const { headers, ...init } = validInit(operation);
    const response = await mock.fetch(urlOf(mock, operation), { ...init, headers: { ...headers, prefer } });
    const body = (await expectDocumented(operation, response)) as { errorCode?: string };
    return {
      status: response.status,
      errorCode: body.errorCode,
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

  test("an example or a P-code alone chooses the answer that has it", async () => {
    expect(await call("example=P464")).toMatchObject({ status: 400, errorCode: "P464", applied: "example=P464" });
    expect(await call("code=P464")).toMatchObject({ status: 400, errorCode: "P464", applied: "code=P464" });
    expect(await call("example=proofOfAddressNotRequired")).toMatchObject({ status: 201 });
  });

  test("a preference for an undocumented answer is ignored, with a warning that lists the choices", async () => {
    const { warning, ...answer } = await call("code=418");
    expect(answer).toEqual({ status: 201, errorCode: undefined, applied: null });
    const { answers } = operationOf(mock, "createUserAccount");
    for (const { status, bodies } of answers) {
      const names = bodies.flatMap((body) => body.examples.map(({ name }) => name));
      expect(warning).toContain(`code=${status} with example=${names.join("|")}`);
    }
  });

  test("of two preferences the documented one is applied", async () => {
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

  test("Prefer takes precedence over the API key, missing or given; a preference of another name does not", async () => {
    const operation = operationOf(mock, "listUserCards");
    const chosen = await mock.fetch(urlOf(mock, operation), { headers: { prefer: "code=200" } });
    expect(chosen.status).toBe(200);
    const refused = await mock.fetch(urlOf(mock, operation), { headers: { prefer: "return=minimal" } });
    expect(refused.status).toBe(401);
    const accepted = await mock.fetch(urlOf(mock, operation), { headers: { ...key, prefer: "code=401" } });
    expect(accepted.status).toBe(401);
  });
});
