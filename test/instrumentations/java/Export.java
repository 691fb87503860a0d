import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.KeyValue;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.logs.OtlpGrpcLogRecordExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessor;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Sends a trace with two model calls, and the log records of one of them, with the stock OTLP exporters, over the protocol named in the first
 * argument, and prints the spans as the SDK saw them, one JSON object a line.
 */
public final class Export {
  public static void main(String[] arguments) {
    Resource service = Resource.create(io.opentelemetry.api.common.Attributes.of(AttributeKey.stringKey("service.name"), "shop"));
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setResource(service)
            .addSpanProcessor(BatchSpanProcessor.builder(exporter(arguments[0])).build())
            .addSpanProcessor(SimpleSpanProcessor.create(new Printer()))
            .build();
    SdkLoggerProvider logs =
        SdkLoggerProvider.builder()
            .setResource(service)
            .addLogRecordProcessor(BatchLogRecordProcessor.builder(logExporter(arguments[0])).build())
            .build();
    converse(provider.get("shop"), logs.get("shop"));
    boolean isSent = CompletableResultCode.ofAll(List.of(provider.shutdown(), logs.shutdown())).join(30, TimeUnit.SECONDS).isSuccess();
    System.exit(isSent ? 0 : 1);
  }

  private static LogRecordExporter logExporter(String protocol) {
    String key = "Bearer " + System.getenv("ASSAY_API_KEY");
    if (protocol.equals("grpc")) {
      return OtlpGrpcLogRecordExporter.builder()
          .setEndpoint(System.getenv("ASSAY_GRPC_URL"))
          .addHeader("authorization", key)
          .setCompression("gzip")
          .build();
    }
    return OtlpHttpLogRecordExporter.builder()
        .setEndpoint(System.getenv("ASSAY_URL") + "/opentelemetry/v1/logs")
        .addHeader("authorization", key)
        .setCompression("gzip")
        .build();
  }

  private static SpanExporter exporter(String protocol) {
    String key = "Bearer " + System.getenv("ASSAY_API_KEY");
    if (protocol.equals("grpc")) {
      return OtlpGrpcSpanExporter.builder()
          .setEndpoint(System.getenv("ASSAY_GRPC_URL"))
          .addHeader("authorization", key)
          .setCompression("gzip")
          .build();
    }
    return OtlpHttpSpanExporter.builder()
        .setEndpoint(System.getenv("ASSAY_URL") + "/opentelemetry/v1/traces")
        .addHeader("authorization", key)
        .setCompression("gzip")
        .build();
  }

  private static void converse(Tracer tracer, Logger logger) {
    var root = tracer.spanBuilder("answer question").startSpan();
    root.setAttribute("session.id", System.getenv("SESSION")).setAttribute("team", "support");
    try (var scope = root.makeCurrent()) {
      var chat = tracer.spanBuilder("chat gpt-4o").setSpanKind(SpanKind.CLIENT).startSpan();
      chat.setAttribute("gen_ai.operation.name", "chat");
      chat.setAttribute("gen_ai.provider.name", "openai");
      chat.setAttribute("gen_ai.request.model", "gpt-4o");
      chat.setAttribute("gen_ai.request.temperature", 0.375);
      chat.setAttribute("gen_ai.input.messages", "[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"Grüße 🌍\"}]}]");
      chat.setAttribute(
          "gen_ai.output.messages",
          "[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"Hello from the model.\"}],\"finish_reason\":\"stop\"}]");
      chat.setAttribute("gen_ai.usage.input_tokens", 1234);
      chat.setAttribute("gen_ai.usage.output_tokens", 57);
      chat.setAttribute(AttributeKey.stringArrayKey("gen_ai.response.finish_reasons"), List.of("stop"));
      chat.end();
      var cut = tracer.spanBuilder("chat gpt-4o-mini").setSpanKind(SpanKind.CLIENT).startSpan();
      cut.setAttribute("gen_ai.operation.name", "chat");
      cut.setAttribute("gen_ai.provider.name", "openai");
      cut.setAttribute("gen_ai.request.model", "gpt-4o-mini");
      try (var inLogs = cut.makeCurrent()) {
        logger
            .logRecordBuilder()
            .setEventName("gen_ai.client.inference.operation.details")
            .setBody(
                Value.of(
                    KeyValue.of("gen_ai.input.messages", Value.of(message("user", "Sent in a log"))),
                    KeyValue.of("gen_ai.output.messages", Value.of(message("assistant", "Half an")))))
            .emit();
        logger
            .logRecordBuilder()
            .setEventName("gen_ai.client.operation.exception")
            .setAttribute(AttributeKey.stringKey("exception.type"), "ConnectionReset")
            .setAttribute(AttributeKey.stringKey("exception.message"), "the stream was cut")
            .setAttribute(AttributeKey.stringKey("exception.stacktrace"), "at the client")
            .emit();
      }
      cut.setStatus(StatusCode.ERROR);
      cut.end();
      var tool = tracer.spanBuilder("execute_tool get_weather").startSpan();
      tool.setAttribute("gen_ai.operation.name", "execute_tool");
      tool.setAttribute("gen_ai.tool.name", "get_weather");
      tool.setAttribute("gen_ai.tool.call.arguments", "{\"city\":\"Oslo\"}");
      tool.recordException(new IllegalStateException("the tool is broken"));
      tool.setStatus(StatusCode.ERROR, "the tool is broken");
      tool.end();
    }
    root.end();
  }

  private static Value<?> message(String role, String text) {
    var part = Value.of(KeyValue.of("type", Value.of("text")), KeyValue.of("content", Value.of(text)));
    return Value.of(KeyValue.of("role", Value.of(role)), KeyValue.of("parts", Value.of(part)));
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
      return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
  }
}
