import com.google.gson.*;
import com.sun.net.httpserver.*;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.*;
import java.security.MessageDigest;
import java.sql.*;
import java.util.*;
import java.util.concurrent.Executors;

/** Receives webhooks: `java Receiver serve PORT STATE`. `ledger STATE` prints what each user has got and paid. */
public class Receiver {
    static final int MOST_BYTES = 1 << 20; // of an event
    /** The members with the user who pays, and with the user who gets it. */
    static final Map<String, String[]> WAYS = Map.of(
            "/transfer-webhook", new String[] {"sourceExternalUserId", "destinationExternalUserId"},
            "/sepa-transfer-webhook", new String[] {"user", ""},
            "/sepa-deposit-webhook", new String[] {"", "externalUserId"},
            "/crypto-deposit-webhook", new String[] {"", "externalUserId"});

    record Movement(String account, String amount) {}

    final byte[] token;
    final Connection db;

    Receiver(String path) throws SQLException {
        token = Objects.requireNonNullElse(System.getenv("PARTNER_WALLET_WEBHOOK_TOKEN"), "")
                .getBytes(StandardCharsets.UTF_8);
        if (token.length == 0) { // it would let everybody in
            throw new IllegalStateException("PARTNER_WALLET_WEBHOOK_TOKEN is not set");
        }
        db = DriverManager.getConnection("jdbc:sqlite:" + path + "?busy_timeout=20000");
        try (var statement = db.createStatement()) {
            statement.execute("create table if not exists events (key text primary key, path text, body text, note text)");
            statement.execute("create table if not exists bookings (account text, amount text, key text)");
        }
    }

    /** What an event books; null for what a person has to look at. */
    static List<Movement> movements(String path, JsonObject event) {
        // A crypto deposit was seen in lower case as well.
        if (!Wallet.text(event, "status").equalsIgnoreCase("SUCCESSFUL")) return List.of();
        BigDecimal amount = Wallet.decimal(event.get("amount"));
        String currency = Wallet.text(event, "currency");
        if (amount == null || amount.signum() < 0 || currency == null) return null;
        var found = new ArrayList<Movement>();
        for (int index = 0; index < 2; index++) {
            String member = WAYS.get(path)[index];
            String user = event.get(member) instanceof JsonObject one ? Wallet.text(one, "externalUserId")
                    : Wallet.text(event, member);
            if (user == null) continue; // the partner itself
            BigDecimal change = index == 0 ? amount.negate() : amount;
            found.add(new Movement(user + "/" + currency.toLowerCase(Locale.ROOT), change.toPlainString()));
        }
        return found;
    }

    int run(String sql, String... values) throws SQLException {
        try (var statement = db.prepareStatement(sql)) {
            for (int index = 0; index < values.length; index++) statement.setString(index + 1, values[index]);
            return statement.executeUpdate();
        }
    }

    /** Keeps an event, and books it if it is new. Both are committed before the response is sent. */
    synchronized int take(String path, byte[] body) throws SQLException {
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
        } catch (CharacterCodingException malformed) {
            return 400;
        }
        if (!(Wallet.parse(text) instanceof JsonObject event)) return 400;
        String id = Wallet.text(event, event.has("id") ? "id" : "cryptoDepositId");
        String status = Wallet.text(event, "status");
        boolean isNamed = WAYS.containsKey(path) && id != null && status != null; // otherwise each delivery is kept
        String key = new Gson().toJson(isNamed ? List.of(path, id, status.toUpperCase(Locale.ROOT)) : List.of(path, UUID.randomUUID()));
        List<Movement> found = isNamed ? movements(path, event) : null;
        run("begin immediate");
        try {
            String note = found == null ? "for a person" : "done";
            int isNew = run("insert or ignore into events values (?, ?, ?, ?)", key, path, text, note);
            if (isNew == 1 && found != null)
                for (var one : found) run("insert into bookings values (?, ?, ?)", one.account, one.amount, key);
            run("commit");
        } catch (SQLException failed) {
            run("rollback"); // the response is 500: the event comes again
            throw failed;
        }
        return 200;
    }

    int respond(HttpExchange exchange) throws IOException, SQLException {
        String path = exchange.getRequestURI().getPath();
        if (path.equals("/webhook/health")) return 200;
        String given = Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("authorization"), "");
        if (!MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token)) return 401; // in constant time
        byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
        return body.length > MOST_BYTES ? 413 : take(path, body);
    }

    void handle(HttpExchange exchange) throws IOException {
        int status = 500;
        try {
            status = respond(exchange);
        } catch (SQLException | RuntimeException failed) {
            System.err.println(failed);
        }
        exchange.getResponseHeaders().set("content-type", "application/json");
        exchange.sendResponseHeaders(status, 2);
        exchange.getResponseBody().write("{}".getBytes());
        exchange.close();
    }

    Map<String, String> sums() throws SQLException {
        var sums = new TreeMap<String, BigDecimal>();
        try (var rows = db.createStatement().executeQuery("select account, amount from bookings")) {
            while (rows.next()) sums.merge(rows.getString(1), new BigDecimal(rows.getString(2)), BigDecimal::add);
        }
        var texts = new TreeMap<String, String>();
        sums.forEach((account, sum) -> texts.put(account, sum.toPlainString()));
        return texts;
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("ledger")) {
            System.out.println(new Gson().toJson(Map.of("sums", new Receiver(args[1]).sums())));
            System.exit(0);
        }
        var receiver = new Receiver(args[2]);
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[1])), 0);
        server.createContext("/", receiver::handle);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.start();
    }
}
