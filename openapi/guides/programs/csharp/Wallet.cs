using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

/// <summary>Calls of the partner API. `./partner` shows a call that succeeds and one that fails.</summary>
static class Wallet
{
    static readonly string Base = Environment.GetEnvironmentVariable("PARTNER_WALLET_BASE_URL") ?? "http://127.0.0.1:4010";
    static readonly string Key = Environment.GetEnvironmentVariable("PARTNER_WALLET_API_KEY") ?? "any-key-will-do-for-the-mock";

    // A connection of its own for each call: on one that was used before, a call may be sent again without your knowing.
    static readonly HttpClient Client = new(new SocketsHttpHandler
    {
        AllowAutoRedirect = false,
        ConnectTimeout = TimeSpan.FromSeconds(10),
        PooledConnectionLifetime = TimeSpan.Zero,
    })
    {
        Timeout = TimeSpan.FromSeconds(30), // of the whole call
        MaxResponseContentBufferSize = 10 << 20,
    };

    /// <summary>The verdict ("done", "not-sent", "refused" or "unknown"), the P-code or null, and the body or null.</summary>
    public record Result(string Verdict, string? Code, JsonElement? Data);

    public static async Task<Result> Call(string method, string path, Dictionary<string, string>? body = null)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), Base + path);
        request.Headers.Add("x-api-key", Key);
        if (body != null) request.Content = new StringContent(JsonSerializer.Serialize(body), Encoding.UTF8, "application/json");
        int status;
        string text;
        try
        {
            using var response = await Client.SendAsync(request);
            status = (int)response.StatusCode;
            text = await response.Content.ReadAsStringAsync();
        }
        catch (HttpRequestException error) when (error.HttpRequestError is HttpRequestError.NameResolutionError
            or HttpRequestError.ConnectionError or HttpRequestError.SecureConnectionError)
        {
            return new Result("not-sent", null, null);
        }
        catch (Exception error) when (error is HttpRequestException or OperationCanceledException or IOException)
        {
            return new Result("unknown", null, null);
        }
        var data = Parse(text);
        var code = data is { } some ? Text(some, "errorCode") : null;
        if (code != null && !Regex.IsMatch(code, @"^P\d{3}\z")) code = null;
        return new Result(VerdictOf(status, code, data), code, data);
    }

    /// <summary>Parses JSON; null for what is not JSON.</summary>
    public static JsonElement? Parse(string json)
    {
        try
        {
            return JsonDocument.Parse(json).RootElement;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>A member that is a string, or null.</summary>
    public static string? Text(JsonElement element, string member) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty(member, out var value)
            && value.ValueKind == JsonValueKind.String ? value.GetString() : null;

    /// <summary>An amount, whether it is a string or a number; null for anything else, and for more digits than a decimal has.</summary>
    public static decimal? Amount(JsonElement element, string member)
    {
        if (element.ValueKind != JsonValueKind.Object || !element.TryGetProperty(member, out var value)) return null;
        var text = value.ValueKind == JsonValueKind.Number ? value.GetRawText() : Text(element, member) ?? "";
        if (!Regex.IsMatch(text, @"^-?\d{1,10}(\.\d{1,18})?([eE][-+]?\d)?\z")) return null;
        return decimal.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture);
    }

    static string VerdictOf(int status, string? code, JsonElement? data) => (status, code) switch
    {
        (>= 200 and < 300, _) => data == null ? "unknown" : "done",
        (_, not null) => code.StartsWith("P4", StringComparison.Ordinal) ? "refused" : "unknown", // P500, P501 or a new one
        (408 or 409 or 425, _) => "unknown",
        (>= 401 and <= 431, _) => "refused",
        _ => "unknown",
    };

    /// <summary>What your program does about a call that was not done. The verdict comes first, then the code.</summary>
    public static string Advice(string verdict, string? code) => (verdict, code) switch
    {
        ("not-sent", _) => "nothing has happened: correct it, or send it later",
        ("unknown", _) => "it may have happened: look before you repeat it",
        (_, "P433") => "ask the user to top up",
        (_, "P412" or "P459") => "send the user to onboarding",
        (_, "P403" or "P424") => "a mistake of ours: tell the developers",
        (_, null) => "tell operations: key or allow-list", // as a 401 has none
        _ => $"tell operations: {code}",
    };

    public static async Task First()
    {
        var result = await Call("GET", "/v1/user/transaction-history/user-1042/04/2026");
        if (result.Verdict != "done" || result.Data is not { } records)
        {
            Console.Error.WriteLine($"{result.Verdict}: {Advice(result.Verdict, result.Code)}");
            return;
        }
        var spent = records.EnumerateArray().Where(record => Text(record, "currency") == "eur"
            && Text(record, "status") == "SUCCESSFUL" && Amount(record, "amount") < 0).ToList();
        Console.WriteLine(JsonSerializer.Serialize(spent[0], new JsonSerializerOptions { WriteIndented = true }));
        var sum = spent.Sum(record => Amount(record, "amount") ?? 0);
        Console.WriteLine($"spent in April: {sum.ToString(CultureInfo.InvariantCulture)}");
        var transfer = new Dictionary<string, string>
        {
            ["sourceExternalUserId"] = "user-1042", ["currency"] = "eur", ["amount"] = "1000000.00",
        };
        result = await Call("POST", "/v1/transfer", transfer);
        Console.WriteLine($"{result.Verdict} {result.Code} {Advice(result.Verdict, result.Code)}");
    }
}
