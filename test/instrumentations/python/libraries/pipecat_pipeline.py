"""A pipeline of Pipecat with its own spans."""

import asyncio

from pipecat.frames.frames import EndFrame, LLMFullResponseEndFrame, LLMRunFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.runner import PipelineRunner
from pipecat.pipeline.task import PipelineParams, PipelineTask
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.services.llm_service import FunctionCallParams
from pipecat.services.openai.llm import OpenAILLMService
from tracing import MODEL_URL, finish, start_tracing
from weather import QUESTION, SESSION
from weather import get_weather as look_up


async def get_weather(params: FunctionCallParams, city: str):
    """Tells the weather of a city.

    Args:
        city: Name of the city.
    """
    await params.result_callback(look_up(city))


class EndAfter(FrameProcessor):
    """Ends the pipeline after so many responses."""

    def __init__(self, responses):
        super().__init__()
        self.left = responses
        self.ended = asyncio.Event()

    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)
        if isinstance(frame, LLMFullResponseEndFrame):
            self.left -= 1
            if self.left == 0:
                self.ended.set()


async def ask(question, tools, responses):
    settings = OpenAILLMService.Settings(model="gpt-4o", temperature=0.375, system_instruction="Be brief.")
    model = OpenAILLMService(base_url=MODEL_URL, api_key="unused", settings=settings)
    end = EndAfter(responses)
    messages = [{"role": "user", "content": question}]
    aggregators = LLMContextAggregatorPair(LLMContext(messages, tools=tools))
    pipeline = Pipeline([aggregators.user(), model, end, aggregators.assistant()])
    params = PipelineParams(enable_metrics=True, enable_usage_metrics=True)
    task = PipelineTask(pipeline, params=params, enable_tracing=True, conversation_id=SESSION)
    await task.queue_frame(LLMRunFrame())
    running = asyncio.create_task(PipelineRunner(handle_sigint=False).run(task))
    await end.ended.wait()
    await task.queue_frame(EndFrame())
    await running


def main():
    provider = start_tracing()
    asyncio.run(ask(QUESTION, [get_weather], 2))
    finish(provider)


main()
