"""Uses the public client of the API as its documentation says, with nothing but the URL changed. Prints what it read back, as JSON."""

import asyncio
import json
import os
import time

from honeyhive import HoneyHive, HoneyHiveTracer, atrace, trace
from honeyhive.models import EventFilter, PostEventBatchRequest, PostEventRequest, UpdateEventRequest

SERVER = {"server_url": os.environ["ASSAY_URL"], "api_key": os.environ["ASSAY_API_KEY"]}
tracer = HoneyHiveTracer.init(**SERVER, session_name="support chat", source="production")


@trace(tracer=tracer, event_type="tool")
def look_up(city, options=None):
    return {"city": city, "degrees": 12}


@atrace(tracer=tracer, event_type="model", event_name="complete")
async def complete(prompt):
    tracer.enrich_span(
        config={"model": "gpt-4o", "temperature": 0.375},
        metadata={"prompt_tokens": 1234, "completion_tokens": 57, "nested": {"list": [1, 2]}},
        metrics={"fluency": 0.875, "passed": True},
        feedback={"rating": 4},
        user_properties={"plan": "pro"},
    )
    return "It is 12 degrees in Oslo. 🌍"


@trace(tracer=tracer, event_type="tool")
def break_down(reason):
    raise RuntimeError("it broke: " + reason)


@trace(tracer=tracer, event_type="chain", event_name="answer question", metadata={"channel": "mail"})
def answer(question):
    look_up("Oslo", options={"units": ["C", "F"]})
    text = asyncio.run(complete(question))
    try:
        break_down("the weather")
    except RuntimeError:
        pass
    return {"text": text, "sources": ["a", "b"]}


def send_events(client, session_id):
    created = client.events.create(
        PostEventRequest(
            event={
                "project": "ignored",
                "source": "production",
                "event_name": "by hand",
                "event_type": "tool",
                "session_id": session_id,
                "config": {},
                "inputs": {"n": 1},
                "outputs": {"ok": True},
                "duration": 12.5,
            }
        )
    )
    client.events.update(UpdateEventRequest(event_id=created.event_id, feedback={"rating": 5}, metrics={"score": 1}))
    batch = client.events.create_batch(
        PostEventBatchRequest(
            events=[
                {
                    "project": "ignored",
                    "source": "production",
                    "event_name": f"step {n}",
                    "event_type": "chain",
                    "session_id": session_id,
                    "config": {},
                    "inputs": {"n": n},
                    "duration": 1,
                }
                for n in range(3)
            ]
        )
    )
    return {"created": created.event_id, "batch": batch.event_ids}


def read_back(client, session_id, count):
    """Exports until all events are there: what was accepted is stored within a second, not at once."""
    of_session = EventFilter(field="session_id", operator="is", value=session_id, type="string")
    deadline = time.monotonic() + 20
    while True:
        exported = client.events.export(filters=[of_session], limit=100)
        if exported.total_events >= count or time.monotonic() > deadline:
            break
    by_session = client.events.get_by_session_id(session_id)
    names = sorted(event.event_name for event in exported.events)
    return {"names": names, "total": exported.total_events, "bySession": len(by_session.events)}


def main():
    answer("How is the weather?")
    tracer.enrich_session(
        metadata={"ticket": "T-1"},
        feedback={"thumbs": "up"},
        metrics={"satisfaction": 0.75},
        outputs={"resolved": True},
        user_properties={"user_id": "user-9"},
    )
    tracer.flush()
    client = HoneyHive(**SERVER)
    sent = send_events(client, tracer.session_id)
    started = client.sessions.start({"session": {"session_name": "started by hand", "source": "production", "inputs": {"a": 1}}})
    read = read_back(client, tracer.session_id, 10)
    print(json.dumps({"sessionId": tracer.session_id, "startedSession": started.session_id, "sent": sent, "read": read}))


main()
