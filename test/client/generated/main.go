package main

import (
	"context"
	"fmt"
	"os"

	"program/spacefiles"
)

func update(step string, patch *spacefiles.FilePatch, ifMatch string) string {
	configuration := spacefiles.NewConfiguration()
	configuration.Servers = spacefiles.ServerConfigurations{{URL: os.Getenv("URL")}}
	keys := map[string]spacefiles.APIKey{"ApiKey": {Key: "demo-editor-key"}}
	ctx := context.WithValue(context.Background(), spacefiles.ContextAPIKeys, keys)
	request := spacefiles.NewAPIClient(configuration).FilesAPI.
		UpdateFile(ctx, "handbook", "3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80").
		XTenantId("acme").XUserId("grace").FilePatch(*patch)
	if ifMatch != "" {
		request = request.IfMatch(ifMatch)
	}
	file, response, err := request.Execute()
	if response == nil {
		panic(err)
	}
	if err != nil {
		code := response.Header.Get("x-error-code")
		if code == "" {
			panic(err)
		}
		fmt.Println(step, response.StatusCode, code)
		return response.Header.Get("etag")
	}
	kind := "null"
	if value, _ := file.GetDocumentKindOk(); value != nil {
		kind = *value
	}
	fmt.Println(step, response.StatusCode, file.GetSummary(), kind)
	return response.Header.Get("etag")
}

func main() {
	patch := spacefiles.NewFilePatch()
	patch.SetSummary("one")
	patch.SetDocumentKind("guide")
	first := update("set", patch, "")

	patch = spacefiles.NewFilePatch()
	patch.SetSummary("two")
	second := update("keep", patch, first)

	patch = spacefiles.NewFilePatch()
	patch.SetDocumentKindNil()
	update("clear", patch, second)

	patch = spacefiles.NewFilePatch()
	patch.SetSummary("three")
	current := update("stale", patch, first)

	patch.SetSummary("four")
	update("retry", patch, current)
}
