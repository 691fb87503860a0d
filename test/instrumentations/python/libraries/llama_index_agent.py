"""An agent of LlamaIndex, instrumented by OpenInference."""

import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai import OpenAI
from openai import BadRequestError
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
from tracing import MODEL_URL, finish, start_tracing
from weather import QUESTION, SESSION, get_weather


def model(name):
    return OpenAI(model=name, api_base=MODEL_URL, api_key="unused", max_retries=0, temperature=0.375)


async def converse(tracer):
    with tracer.start_as_current_span("answer question", attributes={"session.id": SESSION}):
        agent = FunctionAgent(tools=[get_weather], llm=model("gpt-4o"), system_prompt="Be brief.")
        await agent.run(QUESTION)
        try:
            await model("gpt-4o").acomplete("Are you there?")
        except BadRequestError:
            pass


def main():
    provider = start_tracing()
    LlamaIndexInstrumentor().instrument(tracer_provider=provider)
    asyncio.run(converse(provider.get_tracer("shop")))
    finish(provider)


main()
