import { All, Controller, Req, Res } from "@nestjs/common";
import type { Request, Response } from "express";
import { toNodeListener } from "partner-wallet-api/webhooks";
import { createReceiver } from "./receiver";

/** Receives webhooks behind the body parser of NestJS. */
@Controller("controller")
export class WebhooksController {
  private readonly receive = toNodeListener(createReceiver("/controller"));

  @All("*path")
  all(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.receive(request, response);
  }
}
