// Command export sends a trace with two model calls, and the log records of one of them, with the stock OTLP exporters, over the protocol named in
// the first argument, and prints the spans as the SDK saw them, one JSON object a line.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/log"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, protocol string) error {
	exporter, err := spanExporter(ctx, protocol)
	if err != nil {
		return err
	}
	logExporter, err := logExporter(ctx, protocol)
	if err != nil {
		return err
	}
	memory := tracetest.NewInMemoryExporter()
	service := resource.NewSchemaless(attribute.String("service.name", "shop"))
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithSyncer(memory), sdk.WithResource(service))
	logs := sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewBatchProcessor(logExporter)), sdklog.WithResource(service))
	converse(ctx, provider.Tracer("shop"), logs.Logger("shop"))
	if err := errors.Join(logs.ForceFlush(ctx), provider.ForceFlush(ctx)); err != nil {
		return err
	}
	for _, span := range memory.GetSpans() {
		if err := print(span); err != nil {
			return err
		}
	}
	return errors.Join(logs.Shutdown(ctx), provider.Shutdown(ctx))
}

// Pauses between attempts.
const (
	initial = 200 * time.Millisecond
	longest = time.Second
	elapsed = time.Minute
)

func headers() map[string]string {
	return map[string]string{"authorization": "Bearer " + os.Getenv("ASSAY_API_KEY")}
}

func spanExporter(ctx context.Context, protocol string) (sdk.SpanExporter, error) {
	if protocol == "grpc" {
		return otlptracegrpc.New(ctx,
			otlptracegrpc.WithEndpointURL(os.Getenv("ASSAY_GRPC_URL")),
			otlptracegrpc.WithHeaders(headers()),
			otlptracegrpc.WithRetry(otlptracegrpc.RetryConfig{
				Enabled: true, InitialInterval: initial, MaxInterval: longest, MaxElapsedTime: elapsed}),
			otlptracegrpc.WithCompressor("gzip"))
	}
	return otlptracehttp.New(ctx,
		otlptracehttp.WithEndpointURL(os.Getenv("ASSAY_URL")+"/opentelemetry/v1/traces"),
		otlptracehttp.WithHeaders(headers()),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{
			Enabled: true, InitialInterval: initial, MaxInterval: longest, MaxElapsedTime: elapsed}),
		otlptracehttp.WithCompression(otlptracehttp.GzipCompression))
}

func logExporter(ctx context.Context, protocol string) (sdklog.Exporter, error) {
	if protocol == "grpc" {
		return otlploggrpc.New(ctx,
			otlploggrpc.WithEndpointURL(os.Getenv("ASSAY_GRPC_URL")),
			otlploggrpc.WithHeaders(headers()),
			otlploggrpc.WithRetry(otlploggrpc.RetryConfig{
				Enabled: true, InitialInterval: initial, MaxInterval: longest, MaxElapsedTime: elapsed}),
			otlploggrpc.WithCompressor("gzip"))
	}
	return otlploghttp.New(ctx,
		otlploghttp.WithEndpointURL(os.Getenv("ASSAY_URL")+"/opentelemetry/v1/logs"),
		otlploghttp.WithHeaders(headers()),
		otlploghttp.WithRetry(otlploghttp.RetryConfig{
			Enabled: true, InitialInterval: initial, MaxInterval: longest, MaxElapsedTime: elapsed}),
		otlploghttp.WithCompression(otlploghttp.GzipCompression))
}

func converse(ctx context.Context, tracer trace.Tracer, logger log.Logger) {
	ctx, root := tracer.Start(ctx, "answer question", trace.WithAttributes(
		attribute.String("session.id", os.Getenv("SESSION")), attribute.String("team", "support")))
	defer root.End()
	_, chat := tracer.Start(ctx, "chat gpt-4o", trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "chat"),
		attribute.String("gen_ai.provider.name", "openai"),
		attribute.String("gen_ai.request.model", "gpt-4o"),
		attribute.Float64("gen_ai.request.temperature", 0.375),
		attribute.String("gen_ai.input.messages", `[{"role":"user","parts":[{"type":"text","content":"Grüße 🌍"}]}]`),
		attribute.String("gen_ai.output.messages",
			`[{"role":"assistant","parts":[{"type":"text","content":"Hello from the model."}],"finish_reason":"stop"}]`),
		attribute.Int64("gen_ai.usage.input_tokens", 1234),
		attribute.Int64("gen_ai.usage.output_tokens", 57),
		attribute.StringSlice("gen_ai.response.finish_reasons", []string{"stop"})))
	chat.End()
	inLogs, cut := tracer.Start(ctx, "chat gpt-4o-mini", trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "chat"),
		attribute.String("gen_ai.provider.name", "openai"),
		attribute.String("gen_ai.request.model", "gpt-4o-mini")))
	emit(inLogs, logger, "gen_ai.client.inference.operation.details",
		attribute.Slice("gen_ai.input.messages", message("user", "Sent in a log")),
		attribute.Slice("gen_ai.output.messages", message("assistant", "Half an")))
	emit(inLogs, logger, "gen_ai.client.operation.exception",
		attribute.String("exception.type", "ConnectionReset"),
		attribute.String("exception.message", "the stream was cut"),
		attribute.String("exception.stacktrace", "at the client"))
	cut.SetStatus(codes.Error, "")
	cut.End()
	_, failed := tracer.Start(ctx, "execute_tool get_weather", trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "execute_tool"),
		attribute.String("gen_ai.tool.name", "get_weather"),
		attribute.String("gen_ai.tool.call.arguments", `{"city":"Oslo"}`)))
	failed.RecordError(errors.New("the tool is broken"))
	failed.SetStatus(codes.Error, "the tool is broken")
	failed.End()
}

func message(role string, text string) attribute.Value {
	part := attribute.MapValue(attribute.String("type", "text"), attribute.String("content", text))
	return attribute.MapValue(attribute.String("role", role), attribute.Slice("parts", part))
}

func emit(ctx context.Context, logger log.Logger, name string, attributes ...attribute.KeyValue) {
	var record log.Record
	record.SetEventName(name)
	record.SetTimestamp(time.Now())
	record.AddAttributes(attributes...)
	logger.Emit(ctx, record)
}

func print(span tracetest.SpanStub) error {
	attributes := map[string]any{}
	for _, one := range span.Attributes {
		attributes[string(one.Key)] = one.Value.AsInterface()
	}
	sent := map[string]any{
		"traceId": span.SpanContext.TraceID().String(), "spanId": span.SpanContext.SpanID().String(), "parentSpanId": nil,
		"name": span.Name, "attributes": attributes, "events": []any{},
	}
	if span.Parent.IsValid() {
		sent["parentSpanId"] = span.Parent.SpanID().String()
	}
	line, err := json.Marshal(sent)
	fmt.Println(string(line))
	return err
}
