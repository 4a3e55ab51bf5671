import com.example.wallet.model.User;
import com.example.wallet.model.UserAccountRequest;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * Creates a user with generated classes. Arguments: the address of a mock, and a request body as JSON. Prints the status and the userId.
 */
public class CreateUser {
  public static void main(String[] arguments) throws Exception {
    ObjectMapper mapper = new ObjectMapper().setSerializationInclusion(JsonInclude.Include.NON_NULL);
    UserAccountRequest user = mapper.readValue(arguments[1], UserAccountRequest.class);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(arguments[0] + "/v1/user/balances/crypto-and-fiat"))
            .timeout(Duration.ofSeconds(10))
            .header("Content-Type", "application/json")
            .header("x-api-key", "any")
            .POST(HttpRequest.BodyPublishers.ofString(mapper.writeValueAsString(user)))
            .build();
    HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    System.out.println(response.statusCode() + " " + mapper.readValue(response.body(), User.class).getUserId());
  }
}
