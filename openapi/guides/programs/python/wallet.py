"""Calls of the partner API. `python3 wallet.py` shows a call that succeeds and one that fails."""
import http.client
import json
import os
import re
from decimal import Decimal
from urllib.parse import urlsplit

BASE = urlsplit(os.environ.get("PARTNER_WALLET_BASE_URL", "http://127.0.0.1:4010"))
KEY = os.environ.get("PARTNER_WALLET_API_KEY", "any-key-will-do-for-the-mock")
TIMEOUT = 30  # seconds to connect, and to wait for more of the response
MOST_BYTES = 10 * 2**20  # of a response


def call(method, path, body=None):
    """Returns the verdict ("done", "not-sent", "refused" or "unknown"), the P-code or None, and the parsed body."""
    payload = None if body is None else json.dumps(body)
    headers = {"x-api-key": KEY, "content-type": "application/json"}
    kind = http.client.HTTPSConnection if BASE.scheme == "https" else http.client.HTTPConnection
    connection = kind(BASE.netloc, timeout=TIMEOUT)
    try:
        connection.connect()
    except OSError:
        return "not-sent", None, None
    try:  # http.client follows no redirect and repeats nothing
        connection.request(method, BASE.path + path, payload, headers)
        response = connection.getresponse()
        data = json.loads(response.read(MOST_BYTES), parse_float=Decimal)
    except ValueError:  # not JSON, or cut off
        data = None
    except (OSError, http.client.HTTPException):
        return "unknown", None, None
    finally:
        connection.close()
    code = data.get("errorCode") if isinstance(data, dict) else None
    if not re.fullmatch(r"P\d{3}", str(code)):
        code = None
    return verdict(response.status, code, data), code, data


def verdict(status, code, data):
    if 200 <= status < 300:
        return "unknown" if data is None else "done"
    if code is not None:
        return "refused" if code.startswith("P4") else "unknown"  # P500, P501 or a new one
    return "refused" if 401 <= status <= 431 and status not in (408, 409, 425) else "unknown"


def advice(verdict, code):
    """What your program does about a call that was not done. The verdict comes first, then the code."""
    if verdict == "not-sent":
        return "nothing has happened: correct it, or send it later"
    if verdict == "unknown":
        return "it may have happened: look before you repeat it"
    match code:
        case "P433":
            return "ask the user to top up"
        case "P412" | "P459":
            return "send the user to onboarding"
        case "P403" | "P424":
            return "a mistake of ours: tell the developers"
        case _:  # a code that you do not know, or a 401, which has none
            return f"tell operations: {code or 'key or allow-list'}"


if __name__ == "__main__":
    outcome, code, records = call("GET", "/v1/user/transaction-history/user-1042/04/2026")
    if outcome != "done":
        raise SystemExit(f"{outcome}: {advice(outcome, code)}")
    eur = [record for record in records if record["currency"] == "eur" and record["status"] == "SUCCESSFUL"]
    spent = [record for record in eur if Decimal(record["amount"]) < 0]
    print(json.dumps(spent[0], indent=2, default=str))  # a Decimal as a string
    print("spent in April:", sum(Decimal(record["amount"]) for record in spent))
    transfer = {"sourceExternalUserId": "user-1042", "currency": "eur", "amount": "1000000.00"}
    outcome, code, _ = call("POST", "/v1/transfer", transfer)
    print(outcome, code, advice(outcome, code))
