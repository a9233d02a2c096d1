import org.openapitools.client.apis.FilesApi
import org.openapitools.client.infrastructure.*
import org.openapitools.client.models.*

fun update(step: String, patch: FilePatch, ifMatch: String? = null): String {
    val id = "3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80"
    val response = FilesApi(System.getenv("URL")).updateFileWithHttpInfo("handbook", id, "acme", "grace", patch, ifMatch, null)
    val result = when (response) {
        is Success -> "${response.data!!.summary} ${response.data.documentKind}"
        else -> response.headers["x-error-code"]!!.single()
    }
    println("$step ${response.statusCode} $result")
    return response.headers["etag"]?.single() ?: ""
}

fun main() {
    ApiClient.apiKey["x-api-key"] = "demo-editor-key"
    val first = update("set", FilePatch(summary = "one", documentKind = "guide"))
    val second = update("keep", FilePatch(summary = "two"), first)
    update("clear", FilePatch(documentKind = null), second)
    val current = update("stale", FilePatch(summary = "three"), first)
    update("retry", FilePatch(summary = "four"), current)
}
