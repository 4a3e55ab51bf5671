import com.google.gson.*;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.sql.*;
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.*;

/** Pays each row of a file at most once: `java Payouts CSV STATE`. */
public class Payouts {
    static final int[] PAUSES = {0, 500, 1000, 1500}; // milliseconds between looks; in production minutes in all
    static Connection db;

    record Payout(String reference, String kind, String user, String amount, String currency, String iban, String title) {
        /** Equal payments have equal texts. */
        String what() {
            String exact = new BigDecimal(amount).stripTrailingZeros().toPlainString();
            return new Gson().toJson(List.of(kind, kind.equals("sepa") ? title : user, currency, exact));
        }
    }

    record Step(String what, Instant at, List<String> known, String state, String record) {}

    /** The records that look like the payment, as status by id; null when the history cannot be read. */
    static Map<String, String> records(Payout payout, Instant at) {
        boolean isSepa = payout.kind.equals("sepa");
        String user = URLEncoder.encode(payout.user, StandardCharsets.UTF_8).replace("+", "%20");
        String path = isSepa ? "partner/transaction-history" : "user/transaction-history/" + user;
        BigDecimal amount = new BigDecimal(payout.amount);
        if (!payout.kind.equals("fund")) amount = amount.negate();
        String since = at.minus(Duration.ofMinutes(15)).toString(); // an older record is of another payment
        var months = new LinkedHashSet<String>();
        for (Instant time : List.of(at.minus(Duration.ofMinutes(15)), at, Instant.now()))
            months.add(DateTimeFormatter.ofPattern("MM/yyyy").withZone(ZoneOffset.UTC).format(time));
        var found = new HashMap<String, String>();
        for (String month : months) {
            var result = Wallet.call("GET", "/v1/" + path + "/" + month, null);
            if (!result.verdict().equals("done") || !(result.data() instanceof JsonArray history)) {
                System.err.println("the history of " + month + ": " + result.verdict() + " " + result.code());
                return null;
            }
            for (JsonElement one : history) {
                JsonObject record = one.getAsJsonObject();
                BigDecimal has = Wallet.decimal(record.get("amount"));
                boolean isSame = has != null && has.compareTo(amount) == 0
                        && payout.currency.equals(Wallet.text(record, "currency"))
                        && (isSepa ? payout.title.equals(Wallet.text(record, "transferTitle"))
                                : "transfer".equals(Wallet.text(record, "type")));
                boolean isOld = String.valueOf(Wallet.text(record, "createdAt")).compareTo(since) < 0;
                if (isSame && !isOld) found.put(Wallet.text(record, "id"), Wallet.text(record, "status"));
            }
        }
        return found;
    }

    static Wallet.Result send(Payout payout) {
        var body = new HashMap<>(Map.of("amount", payout.amount, "currency", payout.currency)); // a decimal string
        if (payout.kind.equals("sepa")) {
            body.putAll(Map.of("destinationIban", payout.iban, "transferTitle", payout.title));
            return Wallet.call("POST", "/v1/partner/sepa-transfer", body);
        }
        body.put(payout.kind.equals("fund") ? "destinationExternalUserId" : "sourceExternalUserId", payout.user);
        return Wallet.call("POST", "/v1/transfer", body);
    }

    static int run(String sql, Object... values) throws SQLException {
        try (var statement = db.prepareStatement(sql)) {
            for (int index = 0; index < values.length; index++) statement.setObject(index + 1, values[index]);
            return statement.execute() ? 0 : statement.getUpdateCount();
        }
    }

    static String keep(Payout payout, String state, String record) throws SQLException {
        run("update payouts set state = ?, record = ? where reference = ?", state, record, payout.reference);
        return state;
    }

    /** What is stored about a payment; null when there is nothing. */
    static Step find(Payout payout) throws SQLException {
        try (var statement = db.prepareStatement("select * from payouts where reference = ?")) {
            statement.setString(1, payout.reference);
            var row = statement.executeQuery();
            if (!row.next()) return null;
            List<String> known = List.of(new Gson().fromJson(row.getString("known"), String[].class));
            return new Step(row.getString("what"), Instant.parse(row.getString("at")), known, row.getString("state"),
                    row.getString("record"));
        }
    }

    static boolean isEqualOpen(Payout payout) throws SQLException {
        String sql = "select 1 from payouts where what = ? and record is null and state != 'failed'";
        try (var statement = db.prepareStatement(sql)) {
            statement.setString(1, payout.what());
            return statement.executeQuery().next();
        }
    }

    /** Returns succeeded, failed, accepted (not final yet), unclear (a person decides) or not-sent (run it again). */
    static String pay(Payout payout) throws Exception {
        if (find(payout) == null) {
            // An equal payment has to wait until the record of the former is found: the records look alike.
            if (isEqualOpen(payout)) return "unclear";
            Instant now = Instant.now();
            var known = records(payout, now);
            if (known == null) return "not-sent";
            run("insert into payouts values (?, ?, ?, ?, 'unclear', null)", payout.reference, payout.what(),
                    now.toString(), new Gson().toJson(known.keySet())); // before the call
            var result = send(payout);
            if (result.verdict().equals("not-sent")) {
                run("delete from payouts where reference = ?", payout.reference);
                return "not-sent";
            }
            if (result.verdict().equals("refused")) System.err.println(payout.reference + " " + result.code());
            if (!result.verdict().equals("unknown"))
                keep(payout, result.verdict().equals("done") ? "accepted" : "failed", null);
        }
        Step step = find(payout);
        if (!step.what.equals(payout.what())) throw new IllegalStateException(payout.reference + " was another payment");
        if (Set.of("succeeded", "failed").contains(step.state)) return step.state;
        for (int pause : PAUSES) {
            Thread.sleep(pause);
            var found = records(payout, step.at);
            if (found == null) continue;
            if (step.record != null) found.keySet().retainAll(Set.of(step.record));
            else found.keySet().removeAll(step.known);
            for (var one : found.entrySet()) {
                var ends = Map.of("SUCCESSFUL", "succeeded", "UNSUCCESSFUL", "failed");
                return keep(payout, ends.getOrDefault(String.valueOf(one.getValue()), "accepted"), one.getKey());
            }
        }
        return step.state;
    }

    public static void main(String[] args) throws Exception {
        db = DriverManager.getConnection("jdbc:sqlite:" + args[1]); // each statement commits, and is flushed
        run("pragma busy_timeout = 0");
        run("pragma locking_mode = exclusive");
        run("begin exclusive"); // fails while another run works; the lock ends with the process
        run("create table if not exists payouts (reference text primary key, what text, at text, known text, "
                + "state text, record text)");
        run("commit");
        int status = 0;
        for (String line : Files.readAllLines(Path.of(args[0])).stream().skip(1).toList()) {
            String[] row = line.split(",", -1);
            String result = pay(new Payout(row[0], row[1], row[2], row[3], row[4], row[5], row[6]));
            System.out.println(result + " " + row[0]);
            if (result.equals("not-sent")) status = 1;
        }
        System.exit(status);
    }
}
