import os

from space_files import ApiClient, ApiException, Configuration, FilePatch, FilesApi

configuration = Configuration(host=os.environ["URL"], api_key={"ApiKey": "demo-editor-key"})
api = FilesApi(ApiClient(configuration))


def update(step, patch, if_match=None):
    ids = ("handbook", "3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80", "acme", "grace")
    try:
        response = api.update_file_with_http_info(*ids, patch, if_match)
    except ApiException as error:
        print(step, error.status, error.headers["x-error-code"])
        return error.headers["etag"]
    file = response.data
    print(step, response.status_code, file.summary, "null" if file.document_kind is None else file.document_kind)
    return response.headers["etag"]


first = update("set", FilePatch(summary="one", document_kind="guide"))
second = update("keep", FilePatch(summary="two"), first)
update("clear", FilePatch(document_kind=None), second)
current = update("stale", FilePatch(summary="three"), first)
update("retry", FilePatch(summary="four"), current)
