// Calls of the partner API. `./partner` shows a call that succeeds and one that fails.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"
)

const maxBytes = 10 << 20 // of a response

var (
	base   = getenv("PARTNER_WALLET_BASE_URL", "http://127.0.0.1:4010")
	key    = getenv("PARTNER_WALLET_API_KEY", "any-key-will-do-for-the-mock")
	isCode = regexp.MustCompile(`^P\d{3}$`)
	// Without a bound, 1e999999999 would take all memory.
	isAmount = regexp.MustCompile(`^-?\d{1,20}(\.\d{1,20})?([eE][-+]?[01]?\d)?$`)
	client   = http.Client{
		Timeout:       30 * time.Second, // of the whole call
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
)

func getenv(name, other string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return other
}

// call returns the verdict ("done", "not-sent", "refused" or "unknown"), the P-code or "", and the body.
// Numbers of the body are json.Number: the digits as they were sent.
func call(method, path string, body any) (verdict, code string, data any) {
	payload, err := json.Marshal(body)
	if err != nil {
		return "not-sent", "", nil
	}
	if body == nil {
		payload = nil
	}
	request, err := http.NewRequest(method, base+path, bytes.NewReader(payload))
	if err != nil {
		return "not-sent", "", nil
	}
	request.Header.Set("x-api-key", key)
	request.Header.Set("content-type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		var failed *net.OpError
		if errors.As(err, &failed) && failed.Op == "dial" {
			return "not-sent", "", nil
		}
		return "unknown", "", nil
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxBytes))
	if err != nil {
		return "unknown", "", nil
	}
	data, err = parse(text)
	if object, ok := data.(map[string]any); ok {
		if code, _ = object["errorCode"].(string); !isCode.MatchString(code) {
			code = ""
		}
	}
	return verdictOf(response.StatusCode, code, err == nil), code, data
}

// parse reads one JSON value with exact numbers.
func parse(text []byte) (data any, err error) {
	if !json.Valid(text) {
		return nil, errors.New("not JSON")
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return data, decoder.Decode(&data)
}

func verdictOf(status int, code string, isJSON bool) string {
	switch {
	case status >= 200 && status < 300 && isJSON:
		return "done"
	case strings.HasPrefix(code, "P4") && status >= 300:
		return "refused"
	case code != "": // P500, P501 or a new one
		return "unknown"
	case status >= 401 && status <= 431 && status != 408 && status != 409 && status != 425:
		return "refused"
	}
	return "unknown"
}

// advice says what your program does about a call that was not done. The verdict comes first, then the code.
func advice(verdict, code string) string {
	switch verdict {
	case "not-sent":
		return "nothing has happened: correct it, or send it later"
	case "unknown":
		return "it may have happened: look before you repeat it"
	}
	switch code {
	case "P433":
		return "ask the user to top up"
	case "P412", "P459":
		return "send the user to onboarding"
	case "P403", "P424":
		return "a mistake of ours: tell the developers"
	case "": // as a 401 has none
		return "tell operations: key or allow-list"
	}
	return "tell operations: " + code
}

// decimal reads an amount exactly, whether it is a string or a number; nil for anything else.
func decimal(value any) *big.Rat {
	text := fmt.Sprint(value)
	if !isAmount.MatchString(text) {
		return nil
	}
	amount, _ := new(big.Rat).SetString(text)
	return amount
}

// plain writes an amount of up to 40 decimal places.
func plain(amount *big.Rat) string {
	return strings.TrimSuffix(strings.TrimRight(amount.FloatString(40), "0"), ".")
}

func first() {
	verdict, code, data := call("GET", "/v1/user/transaction-history/user-1042/04/2026", nil)
	records, ok := data.([]any)
	if verdict != "done" || !ok || len(records) == 0 {
		log.Fatal(verdict, ": ", advice(verdict, code))
	}
	var shown []byte
	spent := new(big.Rat)
	for _, one := range records {
		record := one.(map[string]any)
		amount := decimal(record["amount"])
		if record["currency"] == "eur" && record["status"] == "SUCCESSFUL" && amount != nil && amount.Sign() < 0 {
			spent.Add(spent, amount)
			if shown == nil {
				shown, _ = json.MarshalIndent(record, "", "  ")
			}
		}
	}
	fmt.Println(string(shown))
	fmt.Println("spent in April:", plain(spent))
	transfer := map[string]any{"sourceExternalUserId": "user-1042", "currency": "eur", "amount": "1000000.00"}
	verdict, code, _ = call("POST", "/v1/transfer", transfer)
	fmt.Println(verdict, code, advice(verdict, code))
}

func main() {
	switch {
	case len(os.Args) == 1:
		first()
	case os.Args[1] == "payouts":
		payouts(os.Args[2], os.Args[3])
	case os.Args[1] == "serve":
		serve(os.Args[2], os.Args[3])
	case os.Args[1] == "ledger":
		ledger(os.Args[2])
	}
}
