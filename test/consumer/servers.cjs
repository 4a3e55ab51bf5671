// Receives webhooks in the servers that a partner may have, each with the middleware that is usual there.
const assert = require("node:assert/strict");
const { once } = require("node:events");
const { createServer } = require("node:http");
const { createAdaptorServer } = require("@hono/node-server");
const express5 = require("express");
const express4 = require("express4");
const { fastify } = require("fastify");
const { Hono } = require("hono");
const { createWebhookHandler, toFastifyPlugin, toNodeListener } = require("partner-wallet-api/webhooks");

const events = { received: 0 };
const options = {
  authorization: "token",
  on: {
    p2pTransfer: (event) => {
      if (event.status === "REFUSED") throw new Error("The partner's function threw.");
      events.received += 1;
    },
  },
  otherwise: "reject",
  nonconforming: "reject",
};

/** An Express application that receives webhooks at its root, or under a path behind a body parser. */
function withExpress(express, { parser, basePath }) {
  const app = express();
  if (parser !== undefined) app.use(parser);
  const listener = toNodeListener(createWebhookHandler({ ...options, ...(basePath && { basePath }) }));
  if (basePath === undefined) app.use(listener);
  else app.use(basePath, express.Router().use(listener));
  return createServer(app);
}

function withHono() {
  const app = new Hono();
  const handler = createWebhookHandler(options);
  app.all("*", (context) => handler(context.req.raw));
  return createAdaptorServer({ fetch: app.fetch });
}

async function withFastify() {
  const app = fastify();
  await app.register(toFastifyPlugin(createWebhookHandler(options)));
  await app.ready();
  return app.server;
}

const servers = {
  "node:http": () => createServer(toNodeListener(createWebhookHandler(options))),
  "Express 4": () => withExpress(express4, {}),
  "Express 4 with express.json(), mounted": () =>
    withExpress(express4, { parser: express4.json(), basePath: "/hooks" }),
  "Express 5": () => withExpress(express5, {}),
  "Express 5 with express.json(), mounted": () =>
    withExpress(express5, { parser: express5.json(), basePath: "/hooks" }),
  Fastify: withFastify,
  Hono: withHono,
};

async function tryServers() {
  const { deliverTo } = await import("./deliveries.mjs");
  for (const [name, make] of Object.entries(servers)) {
    const server = await make();
    await once(server.listen(0, "127.0.0.1"), "listening");
    const origin = `http://127.0.0.1:${server.address().port}${name.includes("mounted") ? "/hooks" : ""}`;
    events.received = 0;
    await deliverTo(origin).catch((cause) => {
      throw new Error(`${name} did not work.`, { cause });
    });
    // The deliveries hold two events that the function accepts.
    assert.equal(events.received, 2, name);
    server.closeAllConnections();
    server.close();
  }
  console.log("Everything worked.");
}

tryServers();
