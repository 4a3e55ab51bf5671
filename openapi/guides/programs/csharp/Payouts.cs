using System.Globalization;
using System.Text.Json;
using Microsoft.Data.Sqlite;

/// <summary>Pays each row of a file at most once: `./partner payouts CSV STATE`.</summary>
sealed class Payouts
{
    static readonly int[] Pauses = [0, 500, 1000, 1500]; // milliseconds between looks; in production minutes in all

    record Payout(string Reference, string Kind, string User, string Value, string Currency, string Iban, string Title)
    {
        public decimal Amount => decimal.Parse(Value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture);
        /// <summary>Equal payments have equal texts.</summary>
        public string What => JsonSerializer.Serialize(new[]
        {
            Kind, Kind == "sepa" ? Title : User, Currency, Amount.ToString("0.##################", CultureInfo.InvariantCulture),
        });
    }

    readonly SqliteConnection db;

    Payouts(string path)
    {
        db = new SqliteConnection($"Data Source={path};Pooling=False;Default Timeout=1");
        db.Open(); // each statement commits, and is flushed
        Run("pragma locking_mode = exclusive");
        Run("begin exclusive"); // fails while another run works; the lock ends with the process
        Run("create table if not exists payouts (reference text primary key, what text, at text, known text, "
            + "state text, record text)");
        Run("commit");
    }

    SqliteCommand Command(string sql, params object?[] values)
    {
        var command = db.CreateCommand();
        command.CommandText = sql;
        for (var index = 0; index < values.Length; index++)
            command.Parameters.AddWithValue($"${index + 1}", values[index] ?? DBNull.Value);
        return command;
    }

    void Run(string sql, params object?[] values)
    {
        using var command = Command(sql, values);
        command.ExecuteNonQuery();
    }

    string Keep(Payout payout, string state, string? record = null)
    {
        Run("update payouts set state = $1, record = $2 where reference = $3", state, record, payout.Reference);
        return state;
    }

    /// <summary>What is stored about a payment; null when there is nothing.</summary>
    (string What, DateTime At, string[] Known, string State, string? Record)? Find(Payout payout)
    {
        using var command = Command("select what, at, known, state, record from payouts where reference = $1", payout.Reference);
        using var row = command.ExecuteReader();
        if (!row.Read()) return null;
        var at = DateTime.Parse(row.GetString(1), CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind);
        var known = JsonSerializer.Deserialize<string[]>(row.GetString(2))!;
        return (row.GetString(0), at, known, row.GetString(3), row.IsDBNull(4) ? null : row.GetString(4));
    }

    /// <summary>The records that look like the payment, as status by id; null when the history cannot be read.</summary>
    static async Task<Dictionary<string, string?>?> Records(Payout payout, DateTime at)
    {
        var isSepa = payout.Kind == "sepa";
        var path = isSepa ? "partner/transaction-history" : $"user/transaction-history/{Uri.EscapeDataString(payout.User)}";
        var amount = payout.Kind == "fund" ? payout.Amount : -payout.Amount;
        // An older record is of another payment.
        var since = at.AddMinutes(-15).ToString("yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture);
        var found = new Dictionary<string, string?>();
        var times = new[] { at.AddMinutes(-15), at, DateTime.UtcNow };
        foreach (var month in times.Select(time => time.ToString("MM'/'yyyy", CultureInfo.InvariantCulture)).Distinct())
        {
            var result = await Wallet.Call("GET", $"/v1/{path}/{month}");
            if (result.Verdict != "done" || result.Data is not { ValueKind: JsonValueKind.Array } history)
            {
                Console.Error.WriteLine($"the history of {month}: {result.Verdict} {result.Code}");
                return null;
            }
            foreach (var record in history.EnumerateArray())
            {
                var isSame = Wallet.Text(record, "currency") == payout.Currency && Wallet.Amount(record, "amount") == amount
                    && (isSepa ? Wallet.Text(record, "transferTitle") == payout.Title : Wallet.Text(record, "type") == "transfer");
                isSame &= string.CompareOrdinal(Wallet.Text(record, "createdAt") ?? "9", since) >= 0;
                if (isSame && Wallet.Text(record, "id") is { } id) found[id] = Wallet.Text(record, "status");
            }
        }
        return found;
    }

    static Task<Wallet.Result> Send(Payout payout)
    {
        // A decimal string, as it stands in the file.
        var body = new Dictionary<string, string> { ["amount"] = payout.Value, ["currency"] = payout.Currency };
        if (payout.Kind == "sepa")
        {
            body["destinationIban"] = payout.Iban;
            body["transferTitle"] = payout.Title;
            return Wallet.Call("POST", "/v1/partner/sepa-transfer", body);
        }
        body[payout.Kind == "fund" ? "destinationExternalUserId" : "sourceExternalUserId"] = payout.User;
        return Wallet.Call("POST", "/v1/transfer", body);
    }

    /// <summary>Returns succeeded, failed, accepted (not final yet), unclear (a person decides) or not-sent (run it again).</summary>
    async Task<string> Pay(Payout payout)
    {
        if (Find(payout) == null)
        {
            // An equal payment has to wait until the record of the former is found: the records look alike.
            using var equal = Command("select 1 from payouts where what = $1 and record is null and state != 'failed'", payout.What);
            if (equal.ExecuteScalar() != null) return "unclear";
            var now = DateTime.UtcNow;
            var known = await Records(payout, now);
            if (known == null) return "not-sent";
            Run("insert into payouts values ($1, $2, $3, $4, 'unclear', null)", payout.Reference, payout.What,
                now.ToString("O"), JsonSerializer.Serialize(known.Keys)); // before the call
            var (verdict, code, _) = await Send(payout);
            if (verdict == "not-sent")
            {
                Run("delete from payouts where reference = $1", payout.Reference);
                return "not-sent";
            }
            if (verdict == "refused") Console.Error.WriteLine($"{payout.Reference} {code}");
            if (verdict != "unknown") Keep(payout, verdict == "done" ? "accepted" : "failed");
        }
        var step = Find(payout)!.Value;
        if (step.What != payout.What) throw new InvalidOperationException($"{payout.Reference} was another payment");
        if (step.State is "succeeded" or "failed") return step.State;
        foreach (var pause in Pauses)
        {
            await Task.Delay(pause);
            var found = await Records(payout, step.At) ?? new();
            var id = found.Keys.FirstOrDefault(one => step.Record == null ? !step.Known.Contains(one) : one == step.Record);
            if (id == null) continue;
            return Keep(payout, found[id] switch { "SUCCESSFUL" => "succeeded", "UNSUCCESSFUL" => "failed", _ => "accepted" }, id);
        }
        return step.State;
    }

    public static async Task<int> Run(string csvPath, string statePath)
    {
        var payouts = new Payouts(statePath);
        var status = 0;
        foreach (var line in File.ReadLines(csvPath).Skip(1))
        {
            var row = line.Split(',');
            var result = await payouts.Pay(new Payout(row[0], row[1], row[2], row[3], row[4], row[5], row[6]));
            Console.WriteLine($"{result} {row[0]}");
            if (result == "not-sent") status = 1;
        }
        return status;
    }
}
