"""One program that answers over HTTP: parsing for existing clients, our own JSON API, and pages.

Only the standard library is used, and what a handler sees is two plain data classes::

    from treewright.apps.server.messages import Request, Response, json_response
    from treewright.apps.server.routing import Route

    def routes(service: Service) -> list[Route]:
        def show(request: Request) -> Response:
            name = request.path_values["name"]                   # {name} of the pattern, decoded
            fields = request.json_fields()                        # a checked JSON object
            return json_response({"name": name, "depth": fields.integer("depth", default=1, minimum=1)})

        return [Route("POST", "/studio/api/trees/{name}", show, heavy=True)]

**Adding routes.** A package offers ``routes(service) -> list[Route]`` and whoever composes the program (the command
``serve``) passes all lists to ``Application``. Plain paths come before
patterns, and the first that fits wins. ``Service`` holds what handlers share:
the models (``service.models``), the limits, the metrics and the background jobs (``service.jobs``).

A ``Route`` says how it is treated:

* ``heavy=True``: computing. It waits for one of the places that limit how much runs at once (429 and 503 beyond).
* ``cross_origin=True``: pages from anywhere may call it. Without it, browsers' requests from other sites get 403: what
  changes files must never be reachable from a strange page.
* ``errors``: "json" (default) or "text", how errors are told.
* ``operation``: its part of the OpenAPI description, if it is to be in there.
* ``{name}`` in a pattern is one part of the path, ``{name...}`` at the end is the rest of the path.

**Errors.** Raise ``HttpError(status, message)``; any other ``TreewrightError`` becomes a 400 with its message.
Anything else is a bug: the client gets a 500 without details, the log gets the traceback.

**Static pages.** ``pages(prefix, folder)`` in ``static_pages`` returns routes for the files of a folder, read into
memory once; nothing outside the folder can be named.

**Long jobs.** ``job = service.jobs.start(kind, function)`` runs ``function(job)`` in the background; it calls
``job.report({...})`` to tell progress, and what it returns is the result. Clients poll ``job.state()`` as JSON, or
get ``event_stream(job.states())`` as server-sent events. Any iterator of bytes may be a response's body.
"""
