import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A conversation with the model server through Spring AI, as a Spring Boot application, whose observations are exported as spans. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class Conversation {
  public static void main(String[] arguments) {
    var application = new SpringApplication(Conversation.class);
    application.setDefaultProperties(
        Map.ofEntries(
            Map.entry("spring.application.name", "shop"),
            Map.entry("spring.main.banner-mode", "off"),
            Map.entry("logging.level.root", "error"),
            Map.entry("spring.ai.openai.base-url", System.getenv("MODEL_URL")),
            Map.entry("spring.ai.openai.api-key", "unused"),
            Map.entry("spring.ai.openai.chat.model", "gpt-4o"),
            Map.entry("spring.ai.tools.observations.include-content", "true"),
            Map.entry("management.tracing.sampling.probability", "1"),
            Map.entry("management.opentelemetry.tracing.export.otlp.endpoint", System.getenv("ASSAY_URL") + "/opentelemetry/v1/traces"),
            Map.entry("management.opentelemetry.tracing.export.otlp.headers.authorization", "Bearer " + System.getenv("ASSAY_API_KEY")),
            Map.entry("management.otlp.metrics.export.enabled", "false")));
    var context = application.run(arguments);
    var client = context.getBean(ChatClient.Builder.class).build();
    var memory = context.getBean(ChatMemory.class);
    String answer =
        client
            .prompt()
            .system("Be brief.")
            .user("What is the weather in Oslo?")
            .advisors(MessageChatMemoryAdvisor.builder(memory).build())
            .advisors(advisors -> advisors.param(ChatMemory.CONVERSATION_ID, System.getenv("SESSION")))
            .tools(new Weather())
            .call()
            .content();
    boolean isSent = context.getBean(SdkTracerProvider.class).forceFlush().join(30, TimeUnit.SECONDS).isSuccess();
    context.close();
    System.exit(isSent && answer != null ? 0 : 1);
  }

  /** Prints every span as the SDK saw it. */
  @Bean
  SpanProcessor printer() {
    return SimpleSpanProcessor.create(new Printer());
  }

  /** The tool that the model calls. */
  public static final class Weather {
    @Tool(name = "get_weather", description = "Tells the weather of a city")
    public String weather(String city) {
      return "12 degrees";
    }
  }

  /** Prints spans instead of sending them. */
  private static final class Printer implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      spans.forEach(span -> System.out.println(line(span)));
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }

    private static String line(SpanData span) {
      List<String> attributes = new ArrayList<>();
      span.getAttributes().forEach((key, value) -> attributes.add(text(key.getKey()) + ":" + json(value)));
      String parent = span.getParentSpanContext().isValid() ? text(span.getParentSpanId()) : "null";
      return "{\"traceId\":" + text(span.getTraceId()) + ",\"spanId\":" + text(span.getSpanId())
          + ",\"parentSpanId\":" + parent + ",\"name\":" + text(span.getName())
          + ",\"attributes\":{" + String.join(",", attributes) + "},\"events\":[]}";
    }

    private static String json(Object value) {
      if (value instanceof List<?> list) {
        return "[" + String.join(",", list.stream().map(Printer::json).toList()) + "]";
      }
      return value instanceof String string ? text(string) : String.valueOf(value);
    }

    private static String text(String value) {
      return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
  }
}
