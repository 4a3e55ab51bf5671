"""A careful payout program: `python3 payouts.py CSV STATE`. Mistakes are planted by changing its text."""

import csv
import fcntl
import json
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.request
from datetime import datetime, timezone
from decimal import Decimal

BASE = os.environ["PARTNER_WALLET_BASE_URL"]
KEY = os.environ["PARTNER_WALLET_API_KEY"]
LOOK_SECONDS = 2.5 if os.environ.get("PARTNER_WALLET_PROVE") else 40


class Refused(Exception):
    pass


class Unknown(Exception):
    pass


def call(method, path, body=None):
    headers = {"x-api-key": KEY, "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.loads(response.read())
    except urllib.error.HTTPError as error:
        try:
            code = json.loads(error.read()).get("errorCode")
        except Exception:
            code = None
        if error.code == 401 or str(code).startswith("P4"):
            raise Refused(code) from error
        raise Unknown() from error
    except Exception as error:
        raise Unknown() from error


def months(*times):
    return sorted({(moment.strftime("%m"), moment.strftime("%Y")) for moment in times})


def matching_records(row, at):
    found = []
    for month, year in months(at, datetime.now(timezone.utc)):
        history = "partner/transaction-history" if row["kind"] == "sepa" else f"user/transaction-history/{row['user']}"
        found += call("GET", f"/v1/{history}/{month}/{year}")
    amount = Decimal(row["amount"]) * (1 if row["kind"] == "fund" else -1)
    found = [record for record in found if record.get("currency") == row["currency"]]
    found = [record for record in found if Decimal(str(record.get("amount"))) == amount]
    if row["kind"] == "sepa":
        return [record for record in found if record.get("transferTitle") == row["title"]]
    return [record for record in found if record.get("type") == "transfer"]


def send(row):
    body = {"currency": row["currency"], "amount": row["amount"]}
    if row["kind"] == "sepa":
        body.update(destinationIban=row["iban"], transferTitle=row["title"])
        return call("POST", "/v1/partner/sepa-transfer", body)["transferId"]
    user_field = "destinationExternalUserId" if row["kind"] == "fund" else "sourceExternalUserId"
    return call("POST", "/v1/transfer", {user_field: row["user"], **body})["transferId"]


def has_failed(row, payment):
    if payment["step"] == "found":
        at = datetime.fromisoformat(payment["at"])
        status = next((found["status"] for found in matching_records(row, at) if found["id"] == payment["id"]), "IN_PROGRESS")
    else:
        kind = "sepa-transfer" if row["kind"] == "sepa" else "transfer"
        status = call("GET", f"/v1/{kind}/details/{payment['id']}")["status"]
    return None if status == "IN_PROGRESS" else status != "SUCCESSFUL"


class Payments:
    def __init__(self, path):
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.row_factory = sqlite3.Row
        self.database.execute("PRAGMA synchronous=FULL")
        self.database.execute(
            "CREATE TABLE IF NOT EXISTS payments (reference TEXT PRIMARY KEY, step TEXT, known TEXT, at TEXT, id TEXT)"
        )

    def find(self, reference):
        return self.database.execute("SELECT * FROM payments WHERE reference = ?", (reference,)).fetchone()

    def intend(self, reference, known, at):
        values = (reference, json.dumps(known), at.isoformat())
        self.database.execute("INSERT INTO payments VALUES (?, 'intent', ?, ?, NULL)", values)

    def step(self, reference, step, id=None):
        statement = "UPDATE payments SET step = ?, id = COALESCE(?, id) WHERE reference = ?"
        self.database.execute(statement, (step, id, reference))

    def found_ids(self):
        return {row["id"] for row in self.database.execute("SELECT id FROM payments WHERE step = 'found'")}


def wait_for_new_record(row, payment, taken_ids):
    known_ids = set(json.loads(payment["known"])) | taken_ids
    deadline = time.monotonic() + LOOK_SECONDS
    while True:
        try:
            for record in matching_records(row, datetime.fromisoformat(payment["at"])):
                if record["id"] not in known_ids:
                    return record["id"]
        except (Unknown, Refused):
            pass
        if time.monotonic() >= deadline:
            return None
        time.sleep(0.25)


def pay(payments, row):
    reference = row["reference"]
    payment = payments.find(reference)
    if payment is None:
        at = datetime.now(timezone.utc)
        payments.intend(reference, [record["id"] for record in matching_records(row, at)], at)
        try:
            payments.step(reference, "accepted", send(row))
            return
        except Refused:
            payments.step(reference, "refused")
        except Unknown:
            pass
        payment = payments.find(reference)
    if payment["step"] == "intent":
        found_id = wait_for_new_record(row, payment, payments.found_ids())
        if found_id is None:
            print("unclear", reference)
        else:
            payments.step(reference, "found", found_id)
    elif payment["step"] in ("refused", "failed"):
        print("failed", reference)
    elif payment["step"] in ("accepted", "found"):
        failed = has_failed(row, payment)
        if failed is not None:
            payments.step(reference, "failed" if failed else "final")
        if failed:
            print("failed", reference)


lock = open(sys.argv[2] + ".lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
store = Payments(sys.argv[2])
with open(sys.argv[1], newline="") as file:
    for line in csv.DictReader(file):
        pay(store, line)
