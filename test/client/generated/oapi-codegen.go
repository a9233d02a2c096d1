package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/oapi-codegen/nullable"

	"program/spacefiles"
)

func addKey(_ context.Context, request *http.Request) error {
	request.Header.Set("x-api-key", "demo-editor-key")
	return nil
}

func update(step string, patch spacefiles.FilePatch, ifMatch string) string {
	client, err := spacefiles.NewClientWithResponses(os.Getenv("URL"), spacefiles.WithRequestEditorFn(addKey))
	if err != nil {
		panic(err)
	}
	caller := spacefiles.UpdateFileParams{XTenantId: "acme", XUserId: "grace"}
	if ifMatch != "" {
		caller.IfMatch = &ifMatch
	}
	file := "3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80"
	response, err := client.UpdateFileWithResponse(context.Background(), "handbook", file, &caller, patch)
	if err != nil {
		panic(err)
	}
	if response.StatusCode() == 412 {
		fmt.Println(step, 412, *response.Headers412.XErrorCode)
		return response.Headers412.Etag
	}
	if response.JSON200 == nil {
		panic(response.Status())
	}
	kind := "null"
	if !response.JSON200.DocumentKind.IsNull() {
		kind = response.JSON200.DocumentKind.MustGet()
	}
	fmt.Println(step, response.StatusCode(), response.JSON200.Summary.MustGet(), kind)
	return response.Headers200.Etag
}

func main() {
	value := nullable.NewNullableWithValue[string]
	first := update("set", spacefiles.FilePatch{Summary: value("one"), DocumentKind: value("guide")}, "")
	second := update("keep", spacefiles.FilePatch{Summary: value("two")}, first)
	update("clear", spacefiles.FilePatch{DocumentKind: nullable.NewNullNullable[string]()}, second)
	current := update("stale", spacefiles.FilePatch{Summary: value("three")}, first)
	update("retry", spacefiles.FilePatch{Summary: value("four")}, current)
}
