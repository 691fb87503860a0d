"""Gemini's client, instrumented by OpenTelemetry's own instrumentation."""

import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "span_only"

from google import genai  # noqa: E402
from google.genai import errors, types  # noqa: E402
from opentelemetry.instrumentation.google_genai import GoogleGenAiSdkInstrumentor  # noqa: E402
from tracing import MODEL_SERVER, finish, start_tracing  # noqa: E402
from weather import DESCRIPTION, QUESTION, SCHEMA, SESSION, get_weather  # noqa: E402


def main():
    provider = start_tracing()
    GoogleGenAiSdkInstrumentor().instrument(tracer_provider=provider)
    client = genai.Client(api_key="unused", http_options=types.HttpOptions(base_url=MODEL_SERVER))
    declaration = types.FunctionDeclaration(name="get_weather", description=DESCRIPTION, parameters_json_schema=SCHEMA)
    config = types.GenerateContentConfig(
        system_instruction="Be brief.", tools=[types.Tool(function_declarations=[declaration])], max_output_tokens=256
    )
    with provider.get_tracer("shop").start_as_current_span("answer question", attributes={"session.id": SESSION}):
        history = [types.Content(role="user", parts=[types.Part(text=QUESTION)])]
        asked = client.models.generate_content(model="gemini-2.5-flash", contents=history, config=config).candidates[0].content
        call = asked.parts[0].function_call
        answered = types.Part.from_function_response(name=call.name, response={"result": get_weather(**call.args)})
        history += [asked, types.Content(role="user", parts=[answered])]
        client.models.generate_content(model="gemini-2.5-flash", contents=history, config=config)
        try:
            client.models.generate_content(model="broken", contents="Are you there?")
        except errors.ClientError:
            pass
    finish(provider)


main()
