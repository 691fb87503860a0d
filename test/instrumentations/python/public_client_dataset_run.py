"""Runs an application on every datapoint of a dataset through the public client. Arguments: id of the dataset, name of the run, and the
question that the application answers wrong, if any."""

import os
import sys

from honeyhive import evaluate
from honeyhive.experiments import evaluator

dataset_id, name, *wrong = sys.argv[1:]


@evaluator
def is_right(outputs, inputs, ground_truth):
    return outputs["answer"] == ground_truth["answer"]


def application(datapoint):
    question = datapoint["inputs"]["question"]
    order = question.removeprefix("Where is order ").removesuffix("?")
    return {"answer": f"Order {order} was {'lost' if question in wrong else 'shipped'} on 3 May."}


evaluate(
    application,
    dataset_id=dataset_id,
    evaluators=[is_right],
    name=name,
    print_results=False,
    server_url=os.environ["ASSAY_URL"],
    api_key=os.environ["ASSAY_API_KEY"],
)
