"""A careful receiver: `python3 receiver.py serve PORT STATE`, `python3 receiver.py ledger STATE`."""

import hmac
import json
import os
import sqlite3
import sys
from decimal import Decimal, InvalidOperation
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = os.environ["PARTNER_WALLET_WEBHOOK_TOKEN"]
PATHS = {
    "/transfer-webhook": "p2pTransfer",
    "/sepa-transfer-webhook": "sepaTransfer",
    "/sepa-deposit-webhook": "sepaDeposit",
    "/crypto-deposit-webhook": "cryptoDeposit",
}


def connect(path):
    database = sqlite3.connect(path, timeout=20, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE IF NOT EXISTS events (key TEXT PRIMARY KEY, webhook TEXT, body TEXT)")
    return database


class Handler(BaseHTTPRequestHandler):
    state = ""

    def do_POST(self):
        try:
            status = self.handle_event()
        except Exception:
            status = 500
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def handle_event(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        given_token = self.headers.get("authorization", "")
        if not hmac.compare_digest(given_token.encode(), TOKEN.encode()):
            return 401
        webhook = PATHS.get(self.path)
        if webhook is None:
            return 404
        try:
            event = json.loads(body)
        except ValueError:
            return 400
        if not isinstance(event, dict):
            return 400
        identity = event.get("id") or event.get("cryptoDepositId")
        key = f"{webhook} {identity} {str(event.get('status')).upper()}"
        database = connect(self.state)
        try:
            database.execute("INSERT OR IGNORE INTO events VALUES (?, ?, ?)", (key, webhook, body.decode()))
        finally:
            database.close()
        return 200

    def log_message(self, *args):
        pass


def movements(webhook, event):
    amount = Decimal(str(event["amount"]))
    if webhook == "p2pTransfer":
        yield event.get("sourceExternalUserId"), -amount
        yield event.get("destinationExternalUserId"), amount
    elif webhook == "sepaTransfer":
        yield event["user"]["externalUserId"], -amount
    else:
        yield event["externalUserId"], amount


def ledger(state):
    sums = {}
    for webhook, body in connect(state).execute("SELECT webhook, body FROM events").fetchall():
        event = json.loads(body)
        if str(event.get("status")).upper() != "SUCCESSFUL":
            continue
        try:
            for user, amount in movements(webhook, event):
                if user is not None:
                    account = f"{user}/{event['currency']}"
                    sums[account] = sums.get(account, Decimal(0)) + amount
        except (KeyError, InvalidOperation):
            pass  # The event stays stored for a person to look at, and does not count.
    return {"sums": {account: str(amount) for account, amount in sums.items()}}


if sys.argv[1] == "serve":
    Handler.state = sys.argv[3]
    connect(Handler.state).close()
    ThreadingHTTPServer.allow_reuse_address = True
    ThreadingHTTPServer.request_queue_size = 64
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
else:
    print(json.dumps(ledger(sys.argv[2])))
