/** Makes a payment and receives an event in generated applications of two frameworks, which use the packed package. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { type ReplaceableMock, startMock } from "../../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../../scripts/mock/make-plan/index.ts";
import { packPackage } from "../../../scripts/tools/build/package.ts";
import { run, withServer } from "../../../scripts/tools/processes/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

interface App {
  readonly generator: readonly string[];
  readonly packages: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly build: readonly string[];
  readonly serve: readonly string[];
}

/** The module that pays and receives events. It uses libsql, because Node 20 has no SQLite module. */
const wallet = `import Database from "libsql";
import { createPartnerClient } from "partner-wallet-api";
import { createPayments, createSqliteStore } from "partner-wallet-api/payments";
import { createWebhookHandler } from "partner-wallet-api/webhooks";

const client = createPartnerClient({ baseUrl: process.env.MAIN_URL as string, apiKey: "key-of-the-app" });
const store = createSqliteStore(new Database("payments.db"));
export const payments = createPayments({ client, store, lookForMs: 100 });

export const pay = async (reference: string) => {
  const { state } = await payments.fund({ reference, user: "user-1042", amount: "12.50", currency: "eur" });
  return { state };
};

export const receive = createWebhookHandler({
  authorization: "token",
  on: { p2pTransfer: (event) => payments.observe("p2pTransfer", event) },
  otherwise: "acknowledge",
  nonconforming: "reject",
  basePath: "/hooks",
});
`;

/** Next.js 14 answers this page from a cache unless the client's calls forbid it. */
const page = `import { createPartnerClient } from "partner-wallet-api";

const client = createPartnerClient({ baseUrl: process.env.MAIN_URL as string, apiKey: "key-of-the-app" });

export default async function Page() {
  const { data } = await client.getPartnerBalances();
  return <pre>{JSON.stringify(data)}</pre>;
}
`;

const layout = `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`;

const flags = ["--ts", "--app", "--no-eslint", "--no-tailwind", "--no-src-dir", "--use-npm"];
const types = ["typescript@5.9.3", "@types/node@24"];

const olderNextApp: App = {
  generator: ["create-next-app@14.2.26", "app", ...flags, "--import-alias", "@/*"],
  packages: [...types, "@types/react@18"],
  files: { "app/layout.tsx": layout, "app/page.tsx": page },
  build: ["next", "build"],
  serve: ["next", "start", "--port", "0", "--hostname", "127.0.0.1"],
};

const nextApp: App = {
  generator: ["create-next-app@16.4.3", "app", "--yes", ...flags, "--skip-install", "--disable-git"],
  packages: ["libsql@0.5.29", ...types, "@types/react@19"],
  files: {
    "wallet.ts": wallet,
    // The generated layout loads fonts from another host.
    "app/layout.tsx": layout,
    "app/page.tsx": page,
    "next.config.ts": 'export default { serverExternalPackages: ["libsql"] };\n',
    "app/pay/[reference]/route.ts": `import { pay } from "../../../wallet";

export async function POST(_: Request, { params }: { params: Promise<{ reference: string }> }) {
  return Response.json(await pay((await params).reference));
}
`,
    "app/hooks/[...path]/route.ts": 'export { receive as POST } from "../../../wallet";\n',
  },
  build: ["next", "build"],
  serve: ["next", "start", "--port", "0", "--hostname", "127.0.0.1"],
};

const nestApp: App = {
  generator: ["@nestjs/cli@11.0.13", "new", "app", "--package-manager", "npm", "--skip-git", "--skip-install"],
  packages: ["libsql@0.5.29", ...types, "@types/express@5"],
  files: {
    "src/wallet.ts": wallet,
    "src/app.controller.ts": `import { Controller, Param, Post } from "@nestjs/common";
import { pay } from "./wallet";

@Controller("pay")
export class AppController {
  @Post(":reference")
  pay(@Param("reference") reference: string): Promise<{ state: string }> {
    return pay(reference);
  }
}
`,
    "src/main.ts": `import { NestFactory } from "@nestjs/core";
import { toNodeListener } from "partner-wallet-api/webhooks";
import { AppModule } from "./app.module";
import { receive } from "./wallet";

async function bootstrap() {
  const app = await NestFactory.create(AppModule, { logger: ["error"] });
  app.use("/hooks", toNodeListener(receive));
  await app.listen(0, "127.0.0.1");
  console.log(await app.getUrl());
}
void bootstrap();
`,
  },
  build: ["tsc", "--project", "tsconfig.build.json"],
  serve: ["node", "dist/main.js"],
};

/** Generates, installs, builds and serves an application, and calls `use` with its address and its mock. */
async function withApp(app: App, use: (origin: string, mock: ReplaceableMock) => Promise<void>): Promise<void> {
  const folder = temporaryFolder();
  const tarball = join(folder, (await packPackage(folder)).filename);
  const cwd = join(folder, "app");
  const mock = await startMock(await loadPlan(), { scenario: true, key: "key-of-the-app" });
  const env = { NEXT_TELEMETRY_DISABLED: "1", MAIN_URL: mock.url };
  try {
    await run("npx", ["--yes", ...app.generator], { cwd: folder, env });
    // Removes development dependencies such as linters and test runners, which this test does not use.
    const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
    writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest));
    for (const [path, text] of Object.entries(app.files)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    const options = ["--no-audit", "--no-fund", "--prefer-offline"];
    await run("npm", ["install", ...options, tarball, ...app.packages], { cwd });
    const [[builder = "", ...rest], [program = "", ...args]] = [app.build, app.serve];
    await run(builder, rest, { cwd, env });
    await withServer(program, args, { cwd, env, portPattern: /(?:127\.0\.0\.1|localhost):(\d+)/ }, (origin) =>
      use(origin, mock),
    );
  } finally {
    await mock.close();
  }
}

async function expectCurrentBalances(origin: string, mock: ReplaceableMock): Promise<void> {
  const shownBalances = async () => /<pre>(.*?)<\/pre>/.exec(await (await fetch(origin)).text())?.[1];
  const balancesBefore = await shownBalances();
  expect(balancesBefore).toContain("eur");
  mock.partner.fund({ eur: "4321.00" });
  expect(await shownBalances()).not.toBe(balancesBefore);
}

it("Next.js 14: a page shows the balances of the moment", () => withApp(olderNextApp, expectCurrentBalances), 400_000);

it.each([
  ["Next.js 16", nextApp],
  ["NestJS", nestApp],
])(
  "%s: a lost payment is found, and its event is received",
  (_name, app) =>
    withApp(app, async (origin, mock) => {
      const payInvoice = async () => (await fetch(`${origin}/pay/invoice-1`, { method: "POST" })).json();
      mock.sendWebhooksTo({ url: `${origin}/hooks`, token: "token" });
      mock.clock.set(Date.now());
      mock.faults.add({ operation: "createTransfer", lose: "response" });
      expect((await payInvoice()).state).toBe("accepted");
      await expect.poll(async () => (await payInvoice()).state, { timeout: 20_000, interval: 500 }).toBe("succeeded");
      mock.verify({ operation: "createTransfer", times: 1 });
      const events = mock.deliveries.map(({ webhook, state }) => [webhook, state]);
      expect(events).toContainEqual(["p2pTransfer", "delivered"]);
      if (app === nextApp) await expectCurrentBalances(origin, mock);
    }),
  400_000,
);
