"""Pays each row of a file at most once: `python3 payouts.py CSV STATE`."""
import csv
import json
import sqlite3
import sys
import time
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from urllib.parse import quote

from wallet import call

PAUSES = (0, 0.5, 1, 1.5)  # seconds between looks for a lost call; in production minutes in all
db = sqlite3.connect(sys.argv[2], isolation_level=None, timeout=0)  # each statement commits, and is flushed
db.execute("pragma locking_mode = exclusive")
db.execute("begin exclusive")  # fails while another run works; the lock ends with the process
db.execute("create table if not exists payouts (reference text primary key, what text, at text, known text,"
           " state text, record text)")
db.execute("commit")


def records(row, at):
    """The records that look like the payment, as status by id; None when the history cannot be read."""
    path = "/v1/partner/transaction-history"
    if row["kind"] != "sepa":
        path = "/v1/user/transaction-history/" + quote(row["user"], safe="")
    amount = Decimal(row["amount"]) if row["kind"] == "fund" else -Decimal(row["amount"])
    since = f"{at - timedelta(minutes=15):%Y-%m-%dT%H:%M:%S}"  # an older record is of another payment
    found = {}
    for month in {f"{time:%m/%Y}" for time in (at - timedelta(minutes=15), at, datetime.now(timezone.utc))}:
        verdict, code, history = call("GET", f"{path}/{month}")
        if verdict != "done":
            print(f"the history of {month}: {verdict} {code}", file=sys.stderr)
            return None
        for record in history:
            same = record.get("currency") == row["currency"] and Decimal(record.get("amount", "0")) == amount
            if row["kind"] == "sepa":
                same = same and record.get("transferTitle") == row["title"]
            else:
                same = same and record.get("type") == "transfer"
            if same and str(record.get("createdAt", "9")) >= since:
                found[record["id"]] = record.get("status")
    return found


def send(row):
    body = {"amount": row["amount"], "currency": row["currency"]}  # a decimal string, as it stands in the file
    if row["kind"] == "sepa":
        body |= {"destinationIban": row["iban"], "transferTitle": row["title"]}
        return call("POST", "/v1/partner/sepa-transfer", body)
    side = "destinationExternalUserId" if row["kind"] == "fund" else "sourceExternalUserId"
    return call("POST", "/v1/transfer", body | {side: row["user"]})


def keep(reference, state, record=None):
    db.execute("update payouts set state = ?, record = ? where reference = ?", (state, record, reference))
    return state


def pay(row):
    """Returns succeeded, failed, accepted (not final yet), unclear (a person decides) or not-sent (run it again)."""
    reference, now = row["reference"], datetime.now(timezone.utc)
    names = ("kind", "title" if row["kind"] == "sepa" else "user", "currency")
    what = json.dumps([row[name] for name in names] + [str(Decimal(row["amount"]).normalize())])
    find = "select what, at, known, state, record from payouts where reference = ?"
    if db.execute(find, (reference,)).fetchone() is None:
        # An equal payment has to wait until the record of the former is found: the records look alike.
        if db.execute("select 1 from payouts where what = ? and record is null and state != 'failed'", (what,)).fetchone():
            return "unclear"
        known = records(row, now)
        if known is None:
            return "not-sent"
        values = (reference, what, now.isoformat(), json.dumps(list(known)))
        db.execute("insert into payouts values (?, ?, ?, ?, 'unclear', null)", values)  # before the call
        verdict, code, _ = send(row)
        if verdict == "not-sent":
            db.execute("delete from payouts where reference = ?", (reference,))
            return "not-sent"
        if verdict == "refused":
            print(reference, code, file=sys.stderr)
        if verdict != "unknown":
            keep(reference, "accepted" if verdict == "done" else "failed")
    before, at, known, state, record = db.execute(find, (reference,)).fetchone()
    if before != what:
        raise ValueError(f"{reference} was another payment")
    if state in ("succeeded", "failed"):
        return state
    for pause in PAUSES:
        time.sleep(pause)
        found = records(row, datetime.fromisoformat(at)) or {}
        new = [record] if record in found else [id for id in found if record is None and id not in json.loads(known)]
        if new:
            ends = {"SUCCESSFUL": "succeeded", "UNSUCCESSFUL": "failed"}
            return keep(reference, ends.get(found[new[0]], "accepted"), new[0])
    return state


with open(sys.argv[1], newline="") as file:
    results = [(pay(row), row["reference"]) for row in csv.DictReader(file)]
for result, reference in results:
    print(result, reference)
sys.exit(1 if any(result == "not-sent" for result, _ in results) else 0)
