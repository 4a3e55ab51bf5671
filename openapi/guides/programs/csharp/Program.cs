switch (args)
{
    case []: await Wallet.First(); return 0;
    case ["payouts", var csv, var state]: return await Payouts.Run(csv, state);
    case ["serve", var port, var state]: new Receiver(state).Serve(port); return 0;
    case ["ledger", var state]: new Receiver(state).Ledger(); return 0;
    default: Console.Error.WriteLine("payouts CSV STATE, serve PORT STATE or ledger STATE"); return 2;
}
