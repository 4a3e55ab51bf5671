"""A careful treasury program: `python3 treasury.py CSV STATE`. Mistakes are planted by changing its text."""

import csv
import fcntl
import json
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timezone
from decimal import Decimal

BASE = os.environ["PARTNER_WALLET_BASE_URL"]
KEY = os.environ["PARTNER_WALLET_API_KEY"]
LOOK_FOR = 1.5 if os.environ.get("PARTNER_WALLET_PROVE") else 40
DETAILS = {"exchange": "partner/exchange", "withdraw": "crypto-withdrawal", "order": "order"}


def call(method, path, body=None):
    """Returns ("done", data), ("refused", code) or ("unknown", None)."""
    headers = {"x-api-key": KEY, "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        request = urllib.request.Request(f"{BASE}/v1/{path}", data=data, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as response:
            return "done", json.load(response, parse_float=Decimal)
    except urllib.error.HTTPError as error:
        try:
            code = json.load(error).get("errorCode")
        except Exception:
            code = None
        is_refused = error.code == 401 or str(code).startswith("P4")
        return ("refused", code) if is_refused else ("unknown", None)
    except Exception:
        return "unknown", None


def lock_rate(row):
    """Returns the id of a new lock. An unused lock has no effect, so a lock whose response is lost is replaced."""
    for _ in range(3):
        if row["kind"] == "exchange":
            query = {"currencyFrom": row["currency"], "currencyTo": row["to"], "amount": row["amount"]}
            outcome, data = call("GET", "partner/exchange/get-lock?" + urllib.parse.urlencode(query))
        else:
            body = {"currency": row["to"], "amount": row["amount"], "network": row["network"]}
            outcome, data = call("POST", "order/lock-rate", body)
        if outcome == "done":
            return data["lockId"]
    return None


def send(row):
    if row["kind"] == "withdraw":
        body = {name: row[name] for name in ("amount", "currency", "network", "name", "walletType", "receiverType")}
        return call("POST", "partner/crypto-withdrawal", {**body, "walletAddress": row["address"]})
    for _ in range(3):
        lock_id = lock_rate(row)
        if lock_id is None:
            return "refused", None
        if row["kind"] == "order":
            outcome, data = call("POST", "order", {"lockId": lock_id})
        else:
            body = {"amount": row["amount"], "currencyFrom": row["currency"], "currencyTo": row["to"]}
            outcome, data = call("POST", "partner/exchange", {**body, "lockId": lock_id})
        if (outcome, data) != ("refused", "P403"):
            return outcome, data
    return outcome, data


def records(row):
    """Returns the ids of the records that could belong to the row; None if the history cannot be read."""
    if row["kind"] == "order":
        return []
    outcome, found = call("GET", f"partner/transaction-history/{datetime.now(timezone.utc):%m/%Y}")
    if outcome != "done":
        return None
    amount = Decimal(row["amount"])
    if row["kind"] == "exchange":
        same = lambda one: (one.get("currencyFrom"), one.get("currency")) == (row["currency"], row["to"]) \
            and -Decimal(one.get("amountFrom", 0)) == amount
    else:
        same = lambda one: (one.get("type"), one.get("currency")) == ("cryptoWithdrawal", row["currency"]) \
            and -Decimal(one["amount"]) >= amount
    return [one["id"] for one in found if same(one)]


lock = open(sys.argv[2] + ".lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
db = sqlite3.connect(sys.argv[2], isolation_level=None)
db.execute("pragma synchronous = full")
db.execute("create table if not exists step (reference text primary key, alike text, step text, known text, id text)")


def keep(reference, step, id=None):
    db.execute("update step set step = ?, id = coalesce(?, id) where reference = ?", (step, id, reference))


def look(row, known):
    taken = {id for (id,) in db.execute("select id from step where step = 'found'")}
    until = time.monotonic() + LOOK_FOR
    while True:
        new = [one for one in records(row) or [] if one not in known and one not in taken]
        if new:
            return new[0]
        if time.monotonic() >= until:
            return None
        time.sleep(0.25)


def carry_out(row):
    reference = row["reference"]
    alike = reference if row["kind"] == "order" else f"{row['kind']} {row['currency']} {row['to']}"
    find = "select step, known, id from step where reference = ?"
    if not db.execute(find, (reference,)).fetchone():
        is_open = db.execute("select 1 from step where alike = ? and step = 'intent'", (alike,)).fetchone()
        known = None if is_open else records(row)
        if known is None:
            return "unclear"
        db.execute("insert into step values (?, ?, 'intent', ?, null)", (reference, alike, json.dumps(known)))
        outcome, data = send(row)
        if outcome == "done":
            keep(reference, "accepted", data.get("exchangeId") or data.get("withdrawalId") or data.get("orderId"))
        elif outcome == "refused":
            keep(reference, "refused")
    step, known, id = db.execute(find, (reference,)).fetchone()
    if step == "intent":
        found = None if row["kind"] == "order" else look(row, json.loads(known))
        if found is None:
            return "unclear"
        keep(reference, "found", found)
    if step == "accepted":
        outcome, data = call("GET", f"{DETAILS[row['kind']]}/details/{id}")
        if outcome == "done" and data["status"] in ("FAILED", "UNSUCCESSFUL"):
            keep(reference, "failed")
            return "failed"
    return "failed" if step in ("refused", "failed") else None


with open(sys.argv[1], newline="") as file:
    for line in csv.DictReader(file):
        said = carry_out(line)
        if said:
            print(said, line["reference"], flush=True)
