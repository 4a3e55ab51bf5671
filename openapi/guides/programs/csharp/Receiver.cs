using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Microsoft.Data.Sqlite;

/// <summary>Receives webhooks: `./partner serve PORT STATE`. `./partner ledger STATE` prints what each user has got and paid.</summary>
sealed class Receiver(string path)
{
    const int MostBytes = 1 << 20; // of an event

    /// <summary>The members with the user who pays, and with the user who gets it.</summary>
    static readonly Dictionary<string, string[]> Ways = new()
    {
        ["/transfer-webhook"] = ["sourceExternalUserId", "destinationExternalUserId"],
        ["/sepa-transfer-webhook"] = ["user", ""],
        ["/sepa-deposit-webhook"] = ["", "externalUserId"],
        ["/crypto-deposit-webhook"] = ["", "externalUserId"],
    };

    SqliteConnection Open()
    {
        var db = new SqliteConnection($"Data Source={path}");
        db.Open();
        Run(db, "create table if not exists events (key text primary key, path text, body text, note text)");
        Run(db, "create table if not exists bookings (account text, amount text, key text)");
        return db;
    }

    static int Run(SqliteConnection db, string sql, params string[] values)
    {
        using var command = db.CreateCommand();
        command.CommandText = sql;
        for (var index = 0; index < values.Length; index++) command.Parameters.AddWithValue($"${index + 1}", values[index]);
        return command.ExecuteNonQuery();
    }

    /// <summary>What an event books; null for what a person has to look at.</summary>
    static List<(string Account, decimal Amount)>? Movements(string webhook, JsonElement data)
    {
        // A crypto deposit was seen in lower case as well.
        if (Wallet.Text(data, "status")?.ToUpperInvariant() != "SUCCESSFUL") return [];
        var (amount, currency) = (Wallet.Amount(data, "amount"), Wallet.Text(data, "currency"));
        if (amount == null || amount < 0 || currency == null) return null;
        var found = new List<(string, decimal)>();
        foreach (var (member, sign) in Ways[webhook].Zip(new[] { -1, 1 }))
        {
            var user = data.TryGetProperty(member, out var one) ? Wallet.Text(one, "externalUserId") : null;
            user ??= Wallet.Text(data, member);
            if (user != null) found.Add(($"{user}/{currency.ToLowerInvariant()}", sign * amount.Value)); // otherwise the partner itself
        }
        return found;
    }

    /// <summary>Keeps an event, and books it if it is new. Both are committed before the response is sent.</summary>
    int Take(string webhook, string body)
    {
        if (Wallet.Parse(body) is not { ValueKind: JsonValueKind.Object } data) return 400;
        var (id, status) = (Wallet.Text(data, "id") ?? Wallet.Text(data, "cryptoDepositId"), Wallet.Text(data, "status"));
        var isNamed = Ways.ContainsKey(webhook) && id != null && status != null; // otherwise each delivery is kept
        var key = JsonSerializer.Serialize(isNamed ? new[] { webhook, id!, status!.ToUpperInvariant() } : new[] { webhook, Guid.NewGuid().ToString() });
        var found = isNamed ? Movements(webhook, data) : null;
        using var db = Open();
        using var transaction = db.BeginTransaction(); // without a commit nothing is kept, and the response is 500
        var note = found == null ? "for a person" : "done";
        if (Run(db, "insert or ignore into events values ($1, $2, $3, $4)", key, webhook, body, note) == 1)
            foreach (var (account, amount) in found ?? [])
                Run(db, "insert into bookings values ($1, $2, $3)", account, amount.ToString(CultureInfo.InvariantCulture), key);
        transaction.Commit();
        return 200;
    }

    public void Serve(string port)
    {
        var token = Encoding.UTF8.GetBytes(Environment.GetEnvironmentVariable("PARTNER_WALLET_WEBHOOK_TOKEN") ?? "");
        if (token.Length == 0) // it would let everybody in
            throw new InvalidOperationException("PARTNER_WALLET_WEBHOOK_TOKEN is not set");
        Open().Dispose();
        var builder = WebApplication.CreateBuilder();
        builder.WebHost.UseUrls($"http://127.0.0.1:{port}");
        builder.WebHost.ConfigureKestrel(options => options.Limits.MaxRequestBodySize = MostBytes);
        var app = builder.Build();
        app.MapGet("/webhook/health", () => Results.Json(new { }));
        app.MapPost("/{**rest}", async (HttpRequest request) =>
        {
            var given = Encoding.UTF8.GetBytes(request.Headers.Authorization.ToString());
            if (!CryptographicOperations.FixedTimeEquals(given, token)) return Results.Json(new { }, statusCode: 401);
            using var reader = new StreamReader(request.Body, Encoding.UTF8);
            return Results.Json(new { }, statusCode: Take(request.Path, await reader.ReadToEndAsync())); // above the limit 413
        });
        app.Run();
    }

    public void Ledger()
    {
        using var db = Open();
        using var command = db.CreateCommand();
        command.CommandText = "select account, amount from bookings";
        using var row = command.ExecuteReader();
        var sums = new Dictionary<string, decimal>();
        while (row.Read())
            sums[row.GetString(0)] = sums.GetValueOrDefault(row.GetString(0)) + decimal.Parse(row.GetString(1), CultureInfo.InvariantCulture);
        var texts = sums.ToDictionary(one => one.Key, one => one.Value.ToString(CultureInfo.InvariantCulture));
        Console.WriteLine(JsonSerializer.Serialize(new { sums = texts }));
    }
}
