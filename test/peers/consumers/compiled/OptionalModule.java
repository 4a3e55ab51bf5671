import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.util.Optional;

/** Lets Jackson read and write Optional, the generated type of a value that can be null. Replaces Jdk8Module, which Debian does not package. */
public class OptionalModule extends SimpleModule {
  public OptionalModule() {
    addSerializer(Optional.class, new Writer());
    addDeserializer(Optional.class, new Reader(null));
  }

  @SuppressWarnings("rawtypes")
  private static class Writer extends JsonSerializer<Optional> {
    @Override
    public void serialize(Optional value, JsonGenerator output, SerializerProvider provider) throws IOException {
      provider.defaultSerializeValue(value.orElse(null), output);
    }
  }

  @SuppressWarnings("rawtypes")
  private static class Reader extends JsonDeserializer<Optional> implements ContextualDeserializer {
    private final JavaType type;

    Reader(JavaType type) {
      this.type = type;
    }

    @Override
    public JsonDeserializer<?> createContextual(DeserializationContext context, BeanProperty property) {
      return new Reader(context.getContextualType().containedType(0));
    }

    @Override
    public Optional deserialize(JsonParser input, DeserializationContext context) throws IOException {
      return Optional.of(context.readValue(input, type));
    }

    @Override
    public Optional getNullValue(DeserializationContext context) {
      return Optional.empty();
    }
  }
}
