"""Runs an experiment over data of its own twice, the second time with a better application, and one over a dataset that it makes first,
through the public client. Prints as JSON what it reads back: runs, results, a comparison, pairs of events and fields."""

import json
import os

from honeyhive import HoneyHive, enrich_span, evaluate, trace
from honeyhive.experiments import compare_runs, evaluator, get_run_result
from honeyhive.models import CreateDatapointRequest, CreateDatasetRequest

SERVER = {"server_url": os.environ["ASSAY_URL"], "api_key": os.environ["ASSAY_API_KEY"]}
QUESTIONS = {"two and two": "four", "three and three": "six", "four and four": "eight"}
DATA = [{"inputs": {"question": question}, "ground_truth": {"answer": answer}} for question, answer in QUESTIONS.items()]


@evaluator
def is_right(outputs, inputs, ground_truth):
    return outputs["answer"] == ground_truth["answer"]


@evaluator
def length(outputs, inputs, ground_truth):
    return len(outputs["answer"])


@trace(event_type="tool", event_name="look up")
def look_up(question):
    enrich_span(metadata={"looked": True})
    return QUESTIONS[question]


def application_with(mistakes):
    """Scores are compared by the name of the function, so that both applications have the same one."""

    def application(datapoint):
        question = datapoint["inputs"]["question"]
        answer = look_up(question)
        return {"answer": mistakes.get(question, answer)}

    return application


def run(function, name, **data):
    return evaluate(function, evaluators=[is_right, length], name=name, print_results=False, **data, **SERVER)


def result_of(summary):
    details = {name: summary.metrics.get_metric(name) for name in summary.metrics.list_metrics()}
    return {
        "status": summary.status,
        "success": summary.success,
        "passed": len(summary.passed),
        "failed": len(summary.failed),
        "metrics": {name: detail.model_dump(mode="json") for name, detail in details.items()},
    }


def comparison_of(client, new, old):
    comparison = compare_runs(client, new.run_id, old.run_id)
    pairs = client.experiments.compare_run_events(new.run_id, old.run_id, event_type="session", limit=1000)
    equal = client.experiments.compare_run_events(
        new.run_id, old.run_id, event_name="look up", filter={"metadata.looked": True}
    )
    return {
        "common": comparison.common_datapoints,
        # Their order is not promised.
        "improved": sorted(comparison.list_improved_metrics()),
        "worse": comparison.list_degraded_metrics(),
        "right": comparison.get_metric_delta("is_right"),
        "pairs": [[pair.event_1["metadata"]["run_id"], pair.event_2["metadata"]["run_id"]] for pair in pairs.events],
        "total": pairs.totalEvents,
        "equal": equal.totalEvents,
    }


def fields_of(client, run_id=None):
    schema = client.experiments.get_schema(dateRange='{"relative":"7d"}', evaluation_id=run_id)
    return sorted({field.name for field in schema.fields})


def make_dataset(client):
    dataset = client.datasets.create(CreateDatasetRequest(name="sums", description="small sums"))
    dataset_id = dataset.result.insertedId
    for datapoint in DATA:
        client.datapoints.create(CreateDatapointRequest(**datapoint, linked_datasets=[dataset_id]))
    return dataset_id


def read_back(client, summary):
    return client.experiments.get_run(summary.run_id).model_dump(mode="json")["evaluation"]


def main():
    client = HoneyHive(**SERVER)
    wrong = application_with({"four and four": "nine"})
    own = run(wrong, "data of its own", dataset=DATA)
    better = run(application_with({}), "data of its own, better", dataset=DATA)
    dataset_id = make_dataset(client)
    managed = run(wrong, "a dataset", dataset_id=dataset_id)
    listed = client.experiments.list_runs(run_ids=[own.run_id, better.run_id])
    printed = {
        "datasetId": dataset_id,
        "own": read_back(client, own),
        "managed": read_back(client, managed),
        "results": {"own": result_of(own), "better": result_of(better), "managed": result_of(managed)},
        "sum": result_of(get_run_result(client, own.run_id, aggregate_function="sum")),
        "comparison": comparison_of(client, better, own),
        "degraded": sorted(compare_runs(client, own.run_id, better.run_id).list_degraded_metrics()),
        "betterRunId": better.run_id,
        "fields": fields_of(client),
        "fieldsOfRun": fields_of(client, own.run_id),
        "listed": {"metrics": listed.metrics, "runs": len(listed.evaluations)},
    }
    print(json.dumps(printed))


main()
