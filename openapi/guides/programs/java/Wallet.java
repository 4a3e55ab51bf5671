import com.google.gson.*;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.*;
import java.net.http.*;
import java.time.Duration;
import java.util.*;

/** Calls of the partner API. `java Wallet` shows a call that succeeds and one that fails. */
public class Wallet {
    static final String BASE = System.getenv().getOrDefault("PARTNER_WALLET_BASE_URL", "http://127.0.0.1:4010");
    static final String KEY = System.getenv().getOrDefault("PARTNER_WALLET_API_KEY", "any-key-will-do-for-the-mock");
    // No redirect is followed, and a POST is never repeated by the client itself.
    static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10)).build();
    static final Gson READABLE = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    /** The verdict ("done", "not-sent", "refused" or "unknown"), the P-code or null, and the body or null. */
    record Result(String verdict, String code, JsonElement data) {}

    /** Calls an operation. Gson keeps each number as its digits: read an amount with getAsBigDecimal. */
    static Result call(String method, String path, Map<String, String> body) {
        var publisher = body == null ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(new Gson().toJson(body));
        var request = HttpRequest.newBuilder(URI.create(BASE + path)).timeout(Duration.ofSeconds(30))
                .header("x-api-key", KEY).header("content-type", "application/json").method(method, publisher).build();
        HttpResponse<String> response;
        try {
            response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (ConnectException | HttpConnectTimeoutException | UnknownHostException notSent) {
            return new Result("not-sent", null, null);
        } catch (IOException | InterruptedException lost) {
            return new Result("unknown", null, null);
        }
        JsonElement data = parse(response.body());
        String code = data instanceof JsonObject object ? text(object, "errorCode") : null;
        if (code != null && !code.matches("P\\d{3}")) code = null;
        return new Result(verdict(response.statusCode(), code, data), code, data);
    }

    /** Parses JSON; null for what is not JSON. */
    static JsonElement parse(String json) {
        try {
            JsonElement data = new Gson().getAdapter(JsonElement.class).fromJson(json);
            return data == null || data.isJsonNull() ? null : data;
        } catch (IOException | JsonParseException | StackOverflowError malformed) {
            return null;
        }
    }

    /** A member that is a string, or null. */
    static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonPrimitive value && value.isString() ? value.getAsString() : null;
    }

    /** An amount, whether it is a string or a number; null for anything else. Without a bound, 1e999999999 would do. */
    static BigDecimal decimal(JsonElement value) {
        String text = value instanceof JsonPrimitive one ? one.getAsString() : "";
        return text.matches("-?\\d{1,20}(\\.\\d{1,20})?([eE][-+]?[01]?\\d)?") ? new BigDecimal(text) : null;
    }

    static String verdict(int status, String code, JsonElement data) {
        if (status >= 200 && status < 300) return data == null ? "unknown" : "done";
        if (code != null) return code.startsWith("P4") ? "refused" : "unknown"; // P500, P501 or a new one
        return status >= 401 && status <= 431 && !Set.of(408, 409, 425).contains(status) ? "refused" : "unknown";
    }

    /** What your program does about a call that was not done. The verdict comes first, then the code. */
    static String advice(String verdict, String code) {
        if (verdict.equals("not-sent")) return "nothing has happened: correct it, or send it later";
        if (verdict.equals("unknown")) return "it may have happened: look before you repeat it";
        return switch (code == null ? "" : code) {
            case "P433" -> "ask the user to top up";
            case "P412", "P459" -> "send the user to onboarding";
            case "P403", "P424" -> "a mistake of ours: tell the developers";
            case "" -> "tell operations: key or allow-list"; // as a 401 has none
            default -> "tell operations: " + code;
        };
    }

    public static void main(String[] args) {
        Result result = call("GET", "/v1/user/transaction-history/user-1042/04/2026", null);
        if (!result.verdict.equals("done")) {
            System.err.println(result.verdict + ": " + advice(result.verdict, result.code));
            System.exit(1);
        }
        var spent = new ArrayList<JsonObject>();
        BigDecimal sum = BigDecimal.ZERO;
        for (JsonElement one : result.data.getAsJsonArray()) {
            JsonObject record = one.getAsJsonObject();
            BigDecimal amount = decimal(record.get("amount"));
            boolean counts = "eur".equals(text(record, "currency")) && "SUCCESSFUL".equals(text(record, "status"));
            if (!counts || amount == null || amount.signum() >= 0) continue;
            spent.add(record);
            sum = sum.add(amount);
        }
        System.out.println(READABLE.toJson(spent.get(0)));
        System.out.println("spent in April: " + sum.toPlainString());
        var transfer = Map.of("sourceExternalUserId", "user-1042", "currency", "eur", "amount", "1000000.00");
        result = call("POST", "/v1/transfer", transfer);
        System.out.println(result.verdict + " " + result.code + " " + advice(result.verdict, result.code));
    }
}
