"""Many clients at once: nobody is dropped, no answers are mixed up."""

import http.client
import json
import random
import threading
from urllib.parse import urlencode

from tests.apps.server.running import running
from treewright.apps.server.interfaces import udpipe, v1
from treewright.apps.server.limits import Limits
from treewright.apps.server.model_store import ModelStore, named

CLIENTS, REQUESTS = 64, 8
NOUNS = ("girl", "shepherd", "lantern", "dog")


def test_64_clients(models):
    problems = []

    def client(number, server):
        dice = random.Random(number)
        connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
        for turn in range(REQUESTS):
            words = [f"w{number}x{turn}", *(dice.choice(NOUNS) for _ in range(dice.randrange(1, 9)))]
            body = urlencode({"data": " ".join(words), "input": "horizontal", "output": "horizontal", "parser": ""})
            connection.request("POST", "/process", body, {"Content-Type": "application/x-www-form-urlencoded"})
            response = connection.getresponse()
            answer = response.read()
            if response.status != 200 or json.loads(answer)["result"].split() != words:
                problems.append((response.status, words, answer))
        connection.close()

    def routes(service):
        return [*udpipe.routes(service), *v1.routes(service)]

    store = ModelStore(named(models[:1]))
    with running(routes, store, limits=Limits(at_once=2)) as server:
        threads = [threading.Thread(target=client, args=(number, server)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        text = server._application.service.metrics.text()
    assert not problems, problems[:3]
    total = f'treewright_requests_total{{method="POST",path="/process",status="200"}} {CLIENTS * REQUESTS}'
    assert total in text
