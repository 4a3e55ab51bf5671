// Validates an OpenAPI 3.0 document with its examples, and every JSON example of a request, with kin-openapi. Then creates a user, pays,
// and reads the transfer, the history and events, and validates what it sends and receives.
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

type given struct {
	User     json.RawMessage
	Transfer json.RawMessage
	History  string
	Events   []struct {
		Schema string
		Body   any
	}
}

// Arguments: the file of the document, the address of a mock, and a file with the bodies of the requests and the events. Prints, as JSON,
// the numbers of operations, of valid examples and of records, and values that it has read.
func main() {
	document, err := openapi3.NewLoader().LoadFromFile(os.Args[1])
	check(err)
	check(document.Validate(context.Background()))
	requests := 0
	paths := map[string]string{}
	for path, item := range document.Paths {
		for method, operation := range item.Operations() {
			paths[operation.OperationID] = path
			for _, body := range examplesOf(operation) {
				check(openapi3filter.ValidateRequest(context.Background(), inputOf(document, path, method, nil, body)))
				requests++
			}
		}
	}
	content, err := os.ReadFile(os.Args[3])
	check(err)
	var bodies given
	check(json.Unmarshal(content, &bodies))
	call := func(id, method string, values map[string]string, body []byte) map[string]any {
		return send(inputOf(document, paths[id], method, values, body)).(map[string]any)
	}
	user := call("createUserAccount", "POST", nil, bodies.User)
	transfer := call("createTransfer", "POST", nil, bodies.Transfer)
	details := call("getTransferDetails", "GET", map[string]string{"transferId": transfer["transferId"].(string)}, nil)
	month := strings.Split(bodies.History, "/")
	values := map[string]string{"externalUserId": month[4], "month": month[5], "year": month[6]}
	records := send(inputOf(document, paths["getUserTransactionHistory"], "GET", values, nil)).([]any)
	read := []string{}
	for _, event := range bodies.Events {
		check(document.Components.Schemas[event.Schema].Value.VisitJSON(event.Body))
		read = append(read, event.Schema)
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"operations": len(paths), "requests": requests, "user": user["userId"], "amount": details["amount"],
		"records": len(records), "events": read,
	}))
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

// inputOf takes the value of each parameter from `given` or, if it is not there, from the example of the parameter.
func inputOf(document *openapi3.T, path, method string, given map[string]string, body []byte) *openapi3filter.RequestValidationInput {
	item := document.Paths[path]
	operation := item.GetOperation(method)
	values := map[string]string{}
	query := url.Values{}
	filled := path
	for _, parameter := range operation.Parameters {
		value, found := given[parameter.Value.Name]
		if !found {
			value = fmt.Sprint(parameter.Value.Example)
		}
		if parameter.Value.In == "query" {
			query.Set(parameter.Value.Name, value)
			continue
		}
		values[parameter.Value.Name] = value
		filled = strings.ReplaceAll(filled, "{"+parameter.Value.Name+"}", url.PathEscape(value))
	}
	request, err := http.NewRequest(method, os.Args[2]+filled+"?"+query.Encode(), bytes.NewReader(body))
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

func send(input *openapi3filter.RequestValidationInput) any {
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
	var body any
	check(json.Unmarshal(content, &body))
	return body
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
