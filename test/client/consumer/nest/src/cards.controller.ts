import { Controller, Get, HttpException, Inject, Param } from "@nestjs/common";
import { PartnerApiError, type PartnerClient, unwrap } from "partner-wallet-api";
import { WALLET } from "./wallet";

@Controller("users/:externalUserId/cards")
export class CardsController {
  constructor(@Inject(WALLET) private readonly wallet: PartnerClient) {}

  @Get()
  async count(@Param("externalUserId") externalUserId: string): Promise<{ cards: number }> {
    return { cards: unwrap(await this.wallet.listUserCards({ path: { externalUserId } })).length };
  }

  @Get("refused")
  async refused(@Param("externalUserId") externalUserId: string): Promise<never> {
    try {
      const headers = { prefer: "code=400, example=P461" };
      unwrap(await this.wallet.listUserCards({ path: { externalUserId }, headers }));
    } catch (error) {
      if (error instanceof PartnerApiError) throw new HttpException(error.errorCode ?? error.kind, 422);
    }
    throw new HttpException("The call was not refused.", 500);
  }
}
