"""Creates, reads, changes and deletes a resource of every kind through the public client. Prints as JSON what it reads after each step."""

import json
import os
import warnings

import httpx
from honeyhive import HoneyHive
from honeyhive.models import (
    AddDatapointsToDatasetRequest,
    CreateChartRequest,
    CreateConfigurationRequest,
    CreateDatapointRequest,
    CreateDatasetRequest,
    CreateMetricRequest,
    CreateMetricVersionRequest,
    PostExperimentRunRequest,
    PutExperimentRunRequest,
    UpdateChartRequest,
    UpdateConfigurationRequest,
    UpdateDatapointRequest,
    UpdateDatasetRequest,
    UpdateMetricRequest,
)

# Charts without a project in the path are deprecated, and still served.
warnings.simplefilter("ignore", DeprecationWarning)


def metrics(client):
    definition = {"type": "PYTHON", "criteria": "def m(event): return 1", "return_type": "float"}
    created = client.metrics.create(CreateMetricRequest(name="m", threshold={"min": 0.5}, **definition)).metric_id
    client.metrics.update(UpdateMetricRequest(id=created, description="changed"))
    [found] = client.metrics.get_metric(created)
    version = client.metric_versions.create(
        created, CreateMetricVersionRequest(message="second", content={"name": "m", **definition})
    )
    client.metric_versions.deploy(created, version.data.name)
    versions = len(client.metric_versions.list(created).data)
    client.metrics.delete(created)
    return {"changed": found.description, "versions": versions, "left": len(client.metrics.list())}


def datasets(client):
    created = client.datasets.create(CreateDatasetRequest(name="d")).result.insertedId
    client.datasets.update(UpdateDatasetRequest(dataset_id=created, name="changed"))
    added = client.datasets.add_datapoints(
        created, AddDatapointsToDatasetRequest(data=[{"q": 1}, {"q": 2}], mapping={"inputs": ["q"], "history": [], "ground_truth": []})
    )
    client.datasets.remove_datapoint(created, added.datapoint_ids[0])
    [found] = client.datasets.list(dataset_id=created).datasets
    client.datasets.delete(created)
    return {"changed": found.name, "datapoints": len(found.datapoints), "left": len(client.datasets.list().datasets)}


def datapoints(client):
    created = client.datapoints.create(CreateDatapointRequest(inputs={"q": 3})).result.insertedIds[0]
    client.datapoints.update(created, UpdateDatapointRequest(ground_truth={"a": 3}))
    [found] = client.datapoints.get(created).datapoint
    client.datapoints.delete(created)
    left = [one for one in client.datapoints.list().datapoints if as_dict(one)["id"] == created]
    return {"changed": as_dict(found)["ground_truth"], "left": len(left)}


def configurations(client):
    parameters = {"call_type": "chat", "model": "m"}
    created = client.configurations.create(CreateConfigurationRequest(name="c", provider="p", parameters=parameters))
    changed = UpdateConfigurationRequest(name="c", provider="changed", parameters=parameters)
    client.configurations.update(created.insertedId, changed)
    [found] = client.configurations.list()
    client.configurations.delete(created.insertedId)
    return {"changed": found.provider, "left": len(client.configurations.list())}


def charts(client, project_id):
    created = client.charts.create(CreateChartRequest(name="c", metric="duration", dateRange={"relative": "7d"})).data.id
    client.charts.update(created, UpdateChartRequest(func="p95"))
    found = client.charts.get(created).data
    by_project = client.charts.list(project_id=project_id).data
    client.charts.delete(created)
    return {"changed": found.func, "listed": len(by_project), "left": len(client.charts.list().data)}


def runs(client):
    created = client.experiments.create_run(PostExperimentRunRequest(name="r", event_ids=[])).run_id
    client.experiments.update_run(created, PutExperimentRunRequest(status="completed", metadata={"a": 1}))
    found = client.experiments.get_run(created).evaluation
    result = client.experiments.get_result(created)
    client.experiments.delete_run(created)
    left = client.experiments.list_runs(name="r").evaluations
    return {"changed": found.status, "success": result["success"], "left": len(left)}


def project_and_key():
    """The project, and a key of the shape that the client wants for paths with a project."""
    server = httpx.Client(base_url=os.environ["ASSAY_URL"], headers={"Authorization": f"Bearer {os.environ['ASSAY_API_KEY']}"})
    project_id = server.get("/v1/projects").json()[0]["id"]
    created = server.post(f"/v1/projects/{project_id}/fine_grained_api_keys", json={"permissions": []})
    return project_id, created.json()["data"]["key_value"]


def as_dict(value):
    return value if isinstance(value, dict) else value.model_dump(mode="json")


def main():
    project_id, key = project_and_key()
    client = HoneyHive(server_url=os.environ["ASSAY_URL"], api_key=os.environ["ASSAY_API_KEY"], data_plane_api_key=key)
    kinds = [metrics, datasets, datapoints, configurations, runs]
    printed = {kind.__name__: kind(client) for kind in kinds}
    print(json.dumps({**printed, "charts": charts(client, project_id)}))


main()
