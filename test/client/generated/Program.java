import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.FilesApi;
import org.openapitools.client.model.FilePatch;

public class Program {
    static FilesApi api;

    static String update(String step, FilePatch patch, String ifMatch) throws ApiException {
        try {
            var id = "3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80";
            var response = api.updateFileWithHttpInfo("handbook", id, "acme", "grace", patch, ifMatch, null);
            var file = response.getData();
            var result = file.getSummary() + " " + file.getDocumentKind();
            System.out.println(step + " " + response.getStatusCode() + " " + result);
            return response.getHeaders().get("etag").get(0);
        } catch (ApiException error) {
            if (error.getCode() == 0) throw error;
            var headers = error.getResponseHeaders();
            var code = headers.firstValue("x-error-code").orElse(null);
            System.out.println(step + " " + error.getCode() + " " + code);
            return headers.firstValue("etag").orElse(null);
        }
    }

    public static void main(String[] arguments) throws ApiException {
        var client = new ApiClient();
        client.updateBaseUri(System.getenv("URL"));
        client.setRequestInterceptor(request -> request.header("x-api-key", "demo-editor-key"));
        api = new FilesApi(client);

        var first = update("set", new FilePatch().summary("one").documentKind("guide"), null);
        var second = update("keep", new FilePatch().summary("two"), first);
        update("clear", new FilePatch().documentKind(null), second);
        var current = update("stale", new FilePatch().summary("three"), first);
        update("retry", new FilePatch().summary("four"), current);
    }
}
