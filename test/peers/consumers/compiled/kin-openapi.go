// Validates an OpenAPI 3.0 document and every JSON example of a request with kin-openapi. Then sends one request to the mock and
// validates the response.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// Arguments: the file of the document, and the address of a mock. Prints the numbers of checks and the response's status as JSON.
func main() {
	document, err := openapi3.NewLoader().LoadFromFile(os.Args[1])
	check(err)
	// Examples are not validated: kin-openapi accepts null for a nullable branch only if the enclosing schema is nullable too, which
	// OpenAPI 3.0.3 does not require.
	check(document.Validate(context.Background(), openapi3.DisableExamplesValidation()))
	operations, requests := 0, 0
	var creation *openapi3filter.RequestValidationInput
	for path, item := range document.Paths {
		for method, operation := range item.Operations() {
			operations++
			for _, body := range examplesOf(operation) {
				input := inputOf(document, os.Args[2], path, method, body)
				check(openapi3filter.ValidateRequest(context.Background(), input))
				requests++
				if operation.OperationID == "createUserAccount" {
					input.Request.Body = io.NopCloser(bytes.NewReader(body))
					creation = input
				}
			}
		}
	}
	status := send(creation)
	check(json.NewEncoder(os.Stdout).Encode(map[string]int{"operations": operations, "requests": requests, "status": status}))
}

// examplesOf returns the bodies of the named JSON examples, or one empty body for an operation without a request body.
func examplesOf(operation *openapi3.Operation) [][]byte {
	if operation.RequestBody == nil {
		return [][]byte{nil}
	}
	media := operation.RequestBody.Value.Content["application/json"]
	if media == nil {
		return nil
	}
	bodies := [][]byte{}
	for _, example := range media.Examples {
		body, err := json.Marshal(example.Value.Value)
		check(err)
		bodies = append(bodies, body)
	}
	return bodies
}

func inputOf(document *openapi3.T, address, path, method string, body []byte) *openapi3filter.RequestValidationInput {
	item := document.Paths[path]
	operation := item.GetOperation(method)
	values := map[string]string{}
	query := url.Values{}
	filled := path
	for _, parameter := range operation.Parameters {
		value := fmt.Sprint(parameter.Value.Example)
		if parameter.Value.In == "query" {
			query.Set(parameter.Value.Name, value)
			continue
		}
		values[parameter.Value.Name] = value
		filled = strings.ReplaceAll(filled, "{"+parameter.Value.Name+"}", url.PathEscape(value))
	}
	request, err := http.NewRequest(method, address+filled+"?"+query.Encode(), bytes.NewReader(body))
	check(err)
	request.Header.Set("x-api-key", "any")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return &openapi3filter.RequestValidationInput{
		Request:    request,
		PathParams: values,
		Route:      &routers.Route{Spec: document, Path: path, PathItem: item, Method: method, Operation: operation},
		Options:    &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}
}

func send(input *openapi3filter.RequestValidationInput) int {
	response, err := (&http.Client{Timeout: 10 * time.Second}).Do(input.Request)
	check(err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	check(err)
	result := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input,
		Status:                 response.StatusCode,
		Header:                 response.Header,
	}
	check(openapi3filter.ValidateResponse(context.Background(), result.SetBodyBytes(content)))
	return response.StatusCode
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
