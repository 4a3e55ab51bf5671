"""Receives webhooks: `python3 receiver.py serve PORT STATE`. `ledger STATE` prints what each user has got and paid."""
import hmac
import json
import os
import re
import sqlite3
import sys
import uuid
from decimal import Decimal, getcontext

from flask import Flask, request

TOKEN = os.environ.get("PARTNER_WALLET_WEBHOOK_TOKEN", "").encode()
if not TOKEN:  # an empty one would let everybody in
    raise SystemExit("PARTNER_WALLET_WEBHOOK_TOKEN is not set")
MOST_BYTES = 2**20  # of an event
getcontext().prec = 60  # digits; more than an amount and the sums of many can have
WAYS = {  # the members with the user who pays, and with the user who gets it
    "/transfer-webhook": ("sourceExternalUserId", "destinationExternalUserId"),
    "/sepa-transfer-webhook": ("user", None),
    "/sepa-deposit-webhook": (None, "externalUserId"),
    "/crypto-deposit-webhook": (None, "externalUserId"),
}
app = Flask(__name__)
app.config["STATE"] = os.environ.get("RECEIVER_STATE", "receiver.db")


def connect():
    db = sqlite3.connect(app.config["STATE"], timeout=20, isolation_level=None)
    db.execute("create table if not exists events (key text primary key, path text, body text, note text)")
    db.execute("create table if not exists bookings (account text, amount text, key text)")
    return db


def movements(path, event):
    """What an event books, as (account, amount); None for what a person has to look at."""
    if str(event.get("status")).upper() != "SUCCESSFUL":  # a crypto deposit was seen in lower case as well
        return []
    amount, currency = event.get("amount"), event.get("currency")
    if not re.fullmatch(r"\d{1,20}(\.\d{1,20})?([eE][-+]?[01]?\d)?", str(amount)) or not isinstance(currency, str):
        return None
    found = []
    for member, sign in zip(WAYS[path], (-1, 1)):
        user = event.get(member)
        if isinstance(user, dict):
            user = user.get("externalUserId")
        if isinstance(user, str):  # without one, it is the partner itself
            found.append((f"{user}/{currency.lower()}", f"{sign * Decimal(amount):f}"))
    return found


def take(path, body):
    """Keeps an event, and books it if it is new. Both are committed before the response is sent."""
    try:
        text = body.decode()
        event = json.loads(text, parse_float=str, parse_int=str)  # the digits as they were sent
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        return 400
    names = (event.get("id") or event.get("cryptoDepositId"), event.get("status"))
    is_named = path in WAYS and all(isinstance(name, str) for name in names)  # otherwise each delivery is kept
    key = json.dumps([path, names[0], names[1].upper()] if is_named else [path, str(uuid.uuid4())])
    found = movements(path, event) if is_named else None
    db = connect()
    try:
        db.execute("begin immediate")
        note = "for a person" if found is None else "done"
        new = db.execute("insert or ignore into events values (?, ?, ?, ?)", (key, path, text, note))
        if new.rowcount == 1:
            db.executemany("insert into bookings values (?, ?, ?)", [(*one, key) for one in found or []])
        db.execute("commit")
    finally:
        db.close()  # without a commit nothing is kept, and the response is 500: the event comes again
    return 200


@app.route("/<path:_>", methods=["GET", "POST"])
def webhook(_):
    if request.path == "/webhook/health":
        return {}
    if not hmac.compare_digest(request.headers.get("authorization", "").encode(), TOKEN):
        return {}, 401
    body = request.stream.read(MOST_BYTES + 1)
    return {}, 413 if len(body) > MOST_BYTES else take(request.path, body)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        app.config["STATE"] = sys.argv[3]
        connect().close()
        app.run("127.0.0.1", int(sys.argv[2]), threaded=True)
    else:
        app.config["STATE"] = sys.argv[2]
        sums = {}
        for account, amount in connect().execute("select account, amount from bookings"):
            sums[account] = sums.get(account, 0) + Decimal(amount)
        print(json.dumps({"sums": {account: f"{amount:f}" for account, amount in sums.items()}}))
