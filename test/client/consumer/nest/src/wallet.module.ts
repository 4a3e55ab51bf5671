import { Module } from "@nestjs/common";
import { createPartnerClient } from "partner-wallet-api";
import { CardsController } from "./cards.controller";
import { WALLET } from "./wallet";
import { WebhooksController } from "./webhooks.controller";

const wallet = {
  provide: WALLET,
  useFactory: () =>
    createPartnerClient({
      baseUrl: process.env.MAIN_URL as string,
      depositBaseUrl: process.env.DEPOSIT_URL as string,
      apiKey: "key",
    }),
};

@Module({ controllers: [CardsController, WebhooksController], providers: [wallet] })
export class WalletModule {}
