import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createPartnerClient, type PartnerClient } from "partner-wallet-api";
import { use } from "partner-wallet-api/helpers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runProgram } from "./guide-program.ts";

const exporter = new InMemorySpanExporter();

beforeAll(() => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});

afterAll(() => {
  for (const api of [trace, context, propagation]) api.disable();
});

it("a call has a span with one child for each attempt, and sends the trace id", async () => {
  const sentHeaders: (string | null)[] = [];
  const fetch = async (request: Request) => {
    sentHeaders.push(request.headers.get("traceparent"));
    if (sentHeaders.length === 1) return new Response("", { status: 429, headers: { "retry-after": "0" } });
    if (sentHeaders.length === 2)
      return Response.json({ transferId: "7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63" }, { status: 201 });
    return Response.json(
      { errorCode: "P403", errorMessage: "no", timestamp: "2026-03-14T09:26:53.589Z" },
      { status: 400 },
    );
  };
  const options = { baseUrl: "https://api.example", apiKey: "secret-key", fetch };
  const variables = { context, propagation, SpanKind, SpanStatusCode, trace, createPartnerClient, use, options };
  const wallet = runProgram("going-live", "@opentelemetry/api", variables, "wallet") as PartnerClient;
  const body = { sourceExternalUserId: "user-of-the-test", amount: 10, currency: "eur" };
  for (const _call of [1, 2]) await wallet.createTransfer({ body });

  const spans = exporter.getFinishedSpans();
  expect(
    spans.map(({ name, attributes, status }) => [name, attributes["http.response.status_code"], status.code]),
  ).toEqual([
    ["POST /v1/transfer", 429, SpanStatusCode.ERROR],
    ["POST /v1/transfer", 201, SpanStatusCode.UNSET],
    ["createTransfer", undefined, SpanStatusCode.UNSET],
    ["POST /v1/transfer", 400, SpanStatusCode.ERROR],
    ["createTransfer", undefined, SpanStatusCode.ERROR],
  ]);
  const [firstAttempt, secondAttempt, call, , failedCall] = spans;
  const id = call?.spanContext();
  const parentIds = [firstAttempt, secondAttempt].map((span) => span?.parentSpanContext?.spanId);
  expect(parentIds).toEqual([id?.spanId, id?.spanId]);
  expect(sentHeaders.slice(0, 2)).toEqual(Array(2).fill(`00-${id?.traceId}-${id?.spanId}-01`));
  expect(failedCall?.attributes["partner_wallet.error"]).toBe("P403");
  const shownParts = spans.map(({ name, attributes, status, events }) => [name, attributes, status, events]);
  expect(JSON.stringify(shownParts)).not.toMatch(/user-of-the-test|secret-key/);
});
