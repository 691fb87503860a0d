"""Calls every function that the public client generates from the API, also those without a method of their own, and prints as JSON what they returned."""

import importlib
import inspect
import json
import os
import pkgutil

import httpx
from honeyhive._generated import services
from honeyhive._generated.api_config import APIConfig

URL, KEY = os.environ["ASSAY_URL"], os.environ["ASSAY_API_KEY"]
METRIC = {"name": "m", "type": "PYTHON", "criteria": "def m(event): return 1", "return_type": "float"}
PARAMETERS = {"call_type": "chat", "model": "m"}
RUN = "0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e"
FIELDS = {"inputs": ["q"], "history": [], "ground_truth": []}


class Calls:
    """The generated functions by name. Each gets its key, and its body from keywords."""

    def __init__(self):
        names = [one.name for one in pkgutil.iter_modules(services.__path__) if not one.name.startswith("async_")]
        modules = [importlib.import_module(f"{services.__name__}.{name}") for name in names]
        self.functions = {
            name: function
            for module in modules
            for name, function in inspect.getmembers(module, inspect.isfunction)
            if function.__module__ == module.__name__
        }
        self.missing = set(self.functions)
        self.key = KEY

    def __call__(self, name, data=None, /, **parameters):
        function = self.functions[name]
        self.missing.discard(name)
        if data is not None:
            parameters["data"] = inspect.signature(function).parameters["data"].annotation(**data)
        return function(APIConfig(base_path=URL, access_token=self.key, timeout=60), **parameters)


def events(call):
    event = {"event_type": "tool", "event_name": "e", "inputs": {"q": 1}}
    session = call("createSession", {"session_name": "s", "metadata": {"run_id": RUN, "datapoint_id": "d1"}}).session_id
    call("startSessionLegacy", {"session": {"session_name": "older", "project": "p", "source": "test"}})
    created = call("createEvent", {**event, "session_id": session}).event_id
    call("createEventBatch", {"events": [event]})
    call("createSessionEventBatch", {"events": [event]}, session_id=session)
    legacy = {**event, "project": "p", "source": "test", "session_id": session, "config": {}, "duration": 1}
    call("createEventLegacy", {"event": legacy})
    call("createEventBatchLegacy", {"events": [legacy]})
    call("addSessionTracesLegacy", {"logs": [legacy]}, session_id=session)
    model = {"project": "p", "model": "gpt", "provider": "openai", "messages": [], "response": {"text": "t"}, "duration": 1, "usage": {}}
    call("createModelEventLegacy", {"model_event": model})
    call("createModelEventBatchLegacy", {"model_events": [model]})
    call("updateEvent", {"metrics": {"score": 0.5}}, event_id=created)
    call("updateEventLegacy", {"event_id": created, "feedback": {"rating": 4}})
    until_stored()
    found = call("getEvent", event_id=created).event
    named = [{"field": "event_name", "operator": "is", "value": "e", "type": "string"}]
    return created, session, {
        "read": [as_dict(found)["metrics"], as_dict(found)["feedback"]],
        "found": call("searchEvents", {"filters": named}).count,
        "exported": len(call("exportEventsLegacy", {"filters": named}).events),
        "fields": len(as_dict(call("getEventsSchemaLegacy"))["fields"]) > 0,
    }


def queues(call, event):
    created = call("createQueue", {"name": "q", "event_ids": [event]}).queue.id
    call("updateQueue", {"id": created, "name": "changed", "add_event_ids": [event]}, queue_id=created)
    found = call("getQueue", queue_id=created)
    listed = len(call("getQueues", enabled=True).queues)
    call("deleteQueue", queue_id=created)
    return {"changed": found.name, "listed": listed, "left": len(call("getQueues").queues)}


def metrics(call):
    created = [call("createMetric", {**METRIC, "name": name}).metric_id for name in ("m", "n")]
    call("updateMetric", {"description": "changed"}, metric_id=created[0])
    call("updateMetricLegacy", {"id": created[1], "description": "changed"})
    changed = [one.description for one in call("getMetrics", type="PYTHON").metrics]
    call("createMetricVersion", {"message": "second", "content": METRIC}, metric_id=created[0])
    versions = call("getMetricVersions", metric_id=created[0]).data
    call("deployMetricVersion", metric_id=created[0], version_name=versions[0].name)
    call("deleteMetric", metric_id=created[0])
    call("deleteMetricLegacy", metric_id=created[1])
    return {"changed": changed, "versions": len(versions), "left": len(call("getMetrics").metrics)}


def datasets(call, event):
    created = [call("createDataset", {"name": name}).result.insertedId for name in ("d", "e")]
    call("updateDataset", {"name": "changed"}, dataset_id=created[0])
    call("updateDatasetLegacy", {"dataset_id": created[1], "name": "changed too"})
    added = call("addDatapoints", {"data": [{"q": 1}, {"q": 2}, {"q": 3}], "mapping": FIELDS}, dataset_id=created[0]).datapoint_ids
    call("removeDatapoint", dataset_id=created[0], datapoint_id=added[0])
    call("removeDatapointLegacy", dataset_id=created[0], datapoint_id=added[1])
    one = call("createDatapoint", {"inputs": {"q": 4}}).result.insertedIds[0]
    call("updateDatapoint", {"ground_truth": {"a": 4}}, datapoint_id=one)
    copied = call("batchCreateDatapoints", {"events": [event], "dataset_id": created[0]})
    listed = len(call("getDatapoints", datapoint_ids=[one, added[2]]).datapoints)
    [found] = call("getDatapoint", datapoint_id=one).datapoint
    call("deleteDatapoint", datapoint_id=one)
    names = sorted(as_dict(found)["name"] for found in call("getDatasets").datasets)
    call("deleteDataset", dataset_id=created[0])
    call("deleteDatasetLegacy", dataset_id=created[1])
    copies = len(as_dict(copied)["insertedIds"])
    left = len(call("getDatasets").datasets)
    return {"changed": names, "answer": as_dict(found)["ground_truth"], "listed": listed, "copied": copies, "left": left}


def runs(call, session):
    new = call("createRun", {"name": "new", "run_id": RUN}).run_id
    old = call("createRun", {"name": "old", "event_ids": [session]}).run_id
    call("updateRun", {"status": "completed"}, run_id=new)
    scores = call("getExperimentRunMetrics", run_id=new)
    pair = {"new_run_id": new, "old_run_id": old}
    compared = [call(f"getExperimentComparison{name}", **pair, aggregate_function="p90") for name in ("", "Legacy")]
    paired = [
        call("getExperimentCompareEvents", **pair, event_name="e", filter={"metrics.score": 0.5}),
        call("getExperimentCompareEventsLegacy", run_id_1=new, run_id_2=old, event_name="e"),
    ]
    results = [call(name, run_id=new, aggregate_function="sum") for name in ("getExperimentSummary", "getExperimentResultLegacy")]
    fields = [len(as_dict(call("getRunsSchema"))["fields"]) > 0, len(as_dict(call("getRunSchema", run_id=new))["fields"]) > 0]
    found = as_dict(call("getRun", run_id=new).evaluation)["status"]
    call("deleteRun", run_id=old)
    return {
        "changed": found,
        "scored": as_dict(scores)["totalEvents"],
        "compared": [as_dict(one)["metrics"][0]["metric_name"] for one in compared],
        "paired": [as_dict(one)["totalEvents"] > 0 for one in paired],
        "sums": [as_dict(one)["metrics"]["details"][0]["aggregate"] for one in results],
        "fields": fields,
        "left": len(call("getRuns", run_ids=[new, old]).evaluations),
    }


def configurations(call):
    created = call("createConfiguration", {"name": "c", "provider": "p", "parameters": PARAMETERS}).insertedId
    call("updateConfiguration", {"name": "c", "provider": "changed", "parameters": PARAMETERS}, configId=created)
    [found] = call("getConfigurations", name="c").configurations
    call("deleteConfiguration", configId=created)
    return {"changed": found.provider, "left": len(call("getConfigurations").configurations)}


def charts(call, in_project):
    """With a project in the path: its key is one that has a project."""
    names = ("getCharts", "createChart", "getChart", "updateChart", "deleteChart")
    get_all, create, get, update, delete = names if in_project else [f"{name}Legacy" for name in names]
    created = call(create, {"name": "c", "metric": "duration"}, **in_project).data.id
    call(update, {"func": "p95"}, chart_id=created, **in_project)
    found = call(get, chart_id=created, **in_project).data.func
    listed = len(call(get_all, **in_project).data)
    call(delete, chart_id=created, **in_project)
    return {"changed": found, "listed": listed, "left": len(call(get_all, **in_project).data)}


def projects(call, project_id):
    """The keys of a project are what the client can create of it."""
    sending = call("createIngestionApiKey", {"name": "sends"}, project_id=project_id).data.key_value
    expires = "2099-01-01T00:00:00Z"
    data = {"name": "reads", "permissions": [], "expires_at": expires}
    reading = call("createDataPlaneApiKey", data, project_id=project_id).data.key_value
    call.key = reading
    return {"keys": [sending.split("_")[1], reading.split("_")[1]], "charts": charts(call, {"project_id": project_id})}


def until_stored():
    headers = {"Authorization": f"Bearer {KEY}", "Prefer": "wait=30"}
    httpx.post(f"{URL}/v1/events/search", json={"limit": 1}, headers=headers, timeout=60).raise_for_status()


def as_dict(value):
    return value if isinstance(value, dict) else value.model_dump(mode="json")


def main():
    call = Calls()
    [project] = httpx.get(f"{URL}/v1/projects", headers={"Authorization": f"Bearer {KEY}"}).json()
    event, session, of_events = events(call)
    event_metric = {"metric": METRIC, "event": {"event_type": "tool", "inputs": {}, "outputs": {}}}
    printed = {
        "events": of_events,
        "queues": queues(call, event),
        "metrics": metrics(call),
        "scores": [as_dict(call(name, event_metric)) for name in ("runMetric", "runMetricLegacy")],
        "datasets": datasets(call, event),
        "runs": runs(call, session),
        "configurations": configurations(call),
        "charts": charts(call, {}),
        "projects": projects(call, project["id"]),
        "missing": sorted(call.missing),
    }
    print(json.dumps(printed))


main()
