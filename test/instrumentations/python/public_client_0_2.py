"""Uses the 0.2 line of the public client as its documentation says, with nothing but the URL changed. Prints what it read back, as JSON."""

import json
import os
import urllib.request

from honeyhive import HoneyHive, HoneyHiveTracer, enrich_session, enrich_span, trace

URL, KEY = os.environ["ASSAY_URL"], os.environ["ASSAY_API_KEY"]
PROJECT = "shop"
PARAMETERS = {"call_type": "chat", "model": "gpt-4o", "hyperparameters": {"temperature": 0}}


@trace(event_type="model", event_name="complete")
def complete(prompt):
    enrich_span(config={"model": "gpt-4o"}, metadata={"prompt_tokens": 1234, "completion_tokens": 57}, metrics={"fluency": 0.875})
    return "It is 12 degrees in Oslo. 🌍"


@trace(event_type="chain")
def answer(question):
    return {"text": complete(question)}


def read_session(client, session_id):
    """Right after the request that started the session."""
    found = client.session.get_session(session_id=session_id).event
    return {"id": found.event_id, "type": found.event_type.value, "name": found.event_name}


def start_session(client):
    session = {"project": PROJECT, "session_name": "started by hand", "source": "production", "inputs": {"a": 1}}
    return client.session.start_session(request={"session": session}).object.session_id


def create_metric(metric):
    """As a newer client does: this one names types that are no longer accepted."""
    headers = {"authorization": f"Bearer {KEY}", "content-type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(f"{URL}/v1/metrics", json.dumps(metric).encode(), headers)).close()


def use_resources(client):
    create_metric({"name": "has text", "type": "PYTHON", "return_type": "boolean", "criteria": "def has_text(event):\n    return True"})
    client.configurations.create_configuration(
        request={"project": PROJECT, "name": "first", "provider": "openai", "parameters": PARAMETERS}
    )
    metrics = client.metrics.get_metrics(project_name=PROJECT).metrics
    configurations = client.configurations.get_configurations(project=PROJECT, name="first").configurations
    return {
        "metrics": [[one.name, one.type.value, one.code_snippet] for one in metrics],
        "configurations": [[one.name, one.provider, one.parameters.model] for one in configurations],
    }


def send_event(client, session_id):
    event = {"project": PROJECT, "source": "production", "event_name": "by hand", "event_type": "tool", "session_id": session_id}
    created = client.events.create_event(request={"event": {**event, "config": {}, "inputs": {"n": 1}, "duration": 12.5}})
    event_id = created.object.event_id
    client.events.update_event(request={"event_id": event_id, "outputs": {"ok": True}, "feedback": {"rating": 5}})
    return event_id


def main():
    tracer = HoneyHiveTracer(api_key=KEY, project=PROJECT, session_name="support chat", source="production", server_url=URL)
    client = HoneyHive(bearer_auth=KEY, server_url=URL)
    sessions = [read_session(client, tracer.session_id), *(read_session(client, start_session(client)) for _ in range(5))]
    answer("How is the weather?")
    enrich_session(metadata={"ticket": "T-1"}, feedback={"thumbs": "up"}, outputs={"resolved": True})
    HoneyHiveTracer.flush()
    created = send_event(client, tracer.session_id)
    print(json.dumps({"sessionId": tracer.session_id, "sessions": sessions, "created": created, **use_resources(client)}))


main()
