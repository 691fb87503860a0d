"""Traces through the public client with a key that may only send, made through the API; then tries to read with that key."""

import os

import requests
from honeyhive import HoneyHiveTracer, trace

URL = os.environ["ASSAY_URL"]


def call(path, body, key):
    return requests.post(URL + path, json=body, headers={"Authorization": "Bearer " + key}, timeout=5)


def make_key(key):
    project = call("/v1/sessions", {"session_name": "finds its project"}, key).json()["project_id"]
    return call(f"/v1/projects/{project}/ingestion_api_keys", {"name": "application"}, key).json()["data"]["key_value"]


key = make_key(os.environ["ASSAY_API_KEY"])
tracer = HoneyHiveTracer.init(server_url=URL, ingestion_api_key=key, session_name="with a key that may only send")


@trace(tracer=tracer, event_type="tool", event_name="sent with the key")
def work(n):
    return n + 1


work(1)
tracer.enrich_session(metadata={"enriched": True})
tracer.flush()
print(call("/v1/events/search", {}, key).status_code)
