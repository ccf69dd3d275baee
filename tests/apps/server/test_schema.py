"""What the OpenAPI description says is what the server does: schemathesis tries, with valid and invalid requests."""

import json

import pytest

from tests.apps.server.running import ask
from tests.optional import needs

pytestmark = needs("schemathesis")

PATHS = (
    ("POST", "/v1/parse"),
    ("POST", "/v1/k-best"),
    ("POST", "/v1/trace"),
    ("POST", "/v1/evaluate"),
    ("POST", "/v1/find"),
    ("POST", "/v1/draw"),
    ("GET", "/v1/models"),
    ("GET", "/v1/models/{name}"),
    ("GET", "/v1/jobs/{id}"),
    ("DELETE", "/v1/jobs/{id}"),
)


@pytest.fixture(scope="module")
def description(server):
    return json.loads(ask(server, "GET", "/v1/openapi.json")[2])


def checked(case, server):
    """Return the response to a case that keeps to the description.

    That a text is CoNLL-U, or that just one of text, words and conllu is given, the schema cannot say: requests that
    keep to it may still be rejected.
    """
    from schemathesis.specs.openapi import checks

    response = case.call(base_url=server.address)
    assert response.status_code < 500
    case.validate_response(response, excluded_checks=[checks.positive_data_acceptance])
    return response


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_the_description_holds(server, description, method, path):
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, settings

    operation = schemathesis.openapi.from_dict(description)[path][method]

    @settings(
        max_examples=15,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def check(case):
        checked(case, server)

    check()


def test_the_examples_work(server, description):
    import schemathesis

    schema = schemathesis.openapi.from_dict(description)
    for method, path in PATHS:
        if method == "POST":
            content = description["paths"][path]["post"]["requestBody"]["content"]["application/json"]
            for example in content["schema"]["examples"]:
                case = schema[path][method].Case(body=example, media_type="application/json")
                assert checked(case, server).status_code == 200
