"""What the programs of this folder share: they send spans with the stock OTLP exporter, and print them as the SDK saw them."""

import json
import os

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

MODEL_URL = os.environ["MODEL_URL"]
MODEL_SERVER = MODEL_URL.removesuffix("/v1")

memory = InMemorySpanExporter()


def exporter():
    return OTLPSpanExporter(
        endpoint=os.environ["ASSAY_URL"] + "/opentelemetry/v1/traces",
        headers={"Authorization": "Bearer " + os.environ["ASSAY_API_KEY"]},
        compression=Compression.Gzip,
    )


def start_tracing():
    """A provider that is the global one."""
    provider = TracerProvider(resource=Resource.create({"service.name": "shop"}))
    send_with(provider)
    trace.set_tracer_provider(provider)
    return provider


def send_with(provider):
    """Makes a provider, of whichever library, send its spans to Assay."""
    provider.add_span_processor(BatchSpanProcessor(exporter()))
    remember(provider)


def remember(provider):
    provider.add_span_processor(SimpleSpanProcessor(memory))


def finish(provider):
    """Sends what is left and prints one JSON object for each span."""
    provider.shutdown()
    for span in memory.get_finished_spans():
        print(json.dumps(sent(span)))


def sent(span):
    parent = span.parent
    return {
        "traceId": f"{span.context.trace_id:032x}",
        "spanId": f"{span.context.span_id:016x}",
        "parentSpanId": f"{parent.span_id:016x}" if parent else None,
        "name": span.name,
        "attributes": {key: list(value) if isinstance(value, tuple) else value for key, value in span.attributes.items()},
        "events": [{"name": event.name, "attributes": dict(event.attributes)} for event in span.events],
    }
