// Command export sends a trace with a model call and a log record with the stock OTLP exporters, over the protocol named in the first argument,
// and prints the spans as the SDK saw them, one JSON object a line.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
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
	exporter, err := exporterOf(ctx, protocol)
	if err != nil {
		return err
	}
	memory := tracetest.NewInMemoryExporter()
	service := resource.NewSchemaless(attribute.String("service.name", "shop"))
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithSyncer(memory), sdk.WithResource(service))
	converse(ctx, provider.Tracer("shop"))
	if err := provider.ForceFlush(ctx); err != nil {
		return err
	}
	for _, span := range memory.GetSpans() {
		if err := print(span); err != nil {
			return err
		}
	}
	return provider.Shutdown(ctx)
}

func exporterOf(ctx context.Context, protocol string) (sdk.SpanExporter, error) {
	headers := map[string]string{"authorization": "Bearer " + os.Getenv("ASSAY_API_KEY")}
	if protocol == "grpc" {
		return otlptracegrpc.New(ctx,
			otlptracegrpc.WithEndpointURL(os.Getenv("ASSAY_GRPC_URL")),
			otlptracegrpc.WithHeaders(headers),
			otlptracegrpc.WithCompressor("gzip"))
	}
	return otlptracehttp.New(ctx,
		otlptracehttp.WithEndpointURL(os.Getenv("ASSAY_URL")+"/opentelemetry/v1/traces"),
		otlptracehttp.WithHeaders(headers),
		otlptracehttp.WithCompression(otlptracehttp.GzipCompression))
}

func converse(ctx context.Context, tracer trace.Tracer) {
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
	_, failed := tracer.Start(ctx, "execute_tool get_weather", trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "execute_tool"),
		attribute.String("gen_ai.tool.name", "get_weather"),
		attribute.String("gen_ai.tool.call.arguments", `{"city":"Oslo"}`)))
	failed.RecordError(errors.New("the tool is broken"))
	failed.SetStatus(codes.Error, "the tool is broken")
	failed.End()
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
