import { NestFactory } from "@nestjs/core";
import { toNodeListener } from "partner-wallet-api/webhooks";
import { createReceiver } from "./receiver";
import { WalletModule } from "./wallet.module";

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create(WalletModule, { logger: ["error", "warn"] });
  app.use("/middleware", toNodeListener(createReceiver("/middleware")));
  await app.listen(0, "127.0.0.1");
  console.log(await app.getUrl());
}

void bootstrap();
