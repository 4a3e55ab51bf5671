import com.example.wallet.model.CreateUserAccount400Response;
import com.example.wallet.model.GeneralError;
import com.example.wallet.model.TransactionRecord;
import com.example.wallet.model.TransferCreated;
import com.example.wallet.model.TransferDetails;
import com.example.wallet.model.TransferRequest;
import com.example.wallet.model.User;
import com.example.wallet.model.UserAccountRequest;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;

/**
 * Creates a user, pays, and reads the transfer, the history and events with generated classes. Arguments: the address of a mock, and a file
 * with the bodies of the requests and the events. Prints what it has read.
 */
public class Conversation {
  private static final ObjectMapper mapper =
      new ObjectMapper()
          .registerModule(new OptionalModule())
          .setSerializationInclusion(JsonInclude.Include.NON_NULL)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private static String address;

  public static void main(String[] arguments) throws Exception {
    address = arguments[0];
    JsonNode given = mapper.readTree(Files.readString(Path.of(arguments[1])));
    UserAccountRequest user = mapper.treeToValue(given.get("user"), UserAccountRequest.class);
    System.out.println("user " + mapper.readValue(send("POST", "/v1/user/balances/crypto-and-fiat", user), User.class).getUserId());
    String refused = send("POST", "/v1/user/balances/crypto-and-fiat", user);
    System.out.println(mapper.readValue(refused, CreateUserAccount400Response.class).getClass().getSimpleName());

    TransferRequest transfer = mapper.treeToValue(given.get("transfer"), TransferRequest.class);
    Object id = mapper.readValue(send("POST", "/v1/transfer", transfer), TransferCreated.class).getTransferId();
    TransferDetails details = mapper.readValue(send("GET", "/v1/transfer/details/" + id, null), TransferDetails.class);
    System.out.println("transfer " + details.getAmount() + " " + details.getCurrency() + " " + details.getStatus());
    transfer.setAmount("99999999.00");
    System.out.println("refused " + mapper.readValue(send("POST", "/v1/transfer", transfer), GeneralError.class).getErrorCode());

    String history = send("GET", given.get("history").asText(), null);
    TransactionRecord[] records = mapper.readValue(history, TransactionRecord[].class);
    System.out.println("history " + records.length + " " + isSame(mapper.readTree(history), mapper.valueToTree(records)));
    for (JsonNode event : given.get("events")) {
      Class<?> type = Class.forName("com.example.wallet.model." + event.get("schema").asText());
      Object read = mapper.treeToValue(event.get("body"), type);
      System.out.println(event.get("schema").asText() + " " + isSame(event.get("body"), mapper.valueToTree(read)));
    }
  }

  private static String send(String method, String path, Object body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address + path)).timeout(Duration.ofSeconds(10)).header("x-api-key", "any");
    if (body == null) {
      request.method(method, HttpRequest.BodyPublishers.noBody());
    } else {
      String text = mapper.writeValueAsString(body);
      request.header("Content-Type", "application/json").method(method, HttpRequest.BodyPublishers.ofString(text));
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  /** Whether `read` has everything that `sent` has, except members that are null: the mapper does not write these. */
  private static boolean isSame(JsonNode sent, JsonNode read) {
    if (sent.isNumber()) return sent.decimalValue().compareTo(read.decimalValue()) == 0;
    if (!sent.isContainerNode()) return sent.asText().equals(read.asText());
    if (sent.isArray()) {
      boolean same = sent.size() == read.size();
      for (int index = 0; same && index < sent.size(); index++) same = isSame(sent.get(index), read.get(index));
      return same;
    }
    for (Iterator<String> names = sent.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      boolean isLost = !read.hasNonNull(name);
      if (!sent.get(name).isNull() && (isLost || !isSame(sent.get(name), read.get(name)))) return false;
    }
    return true;
  }
}
