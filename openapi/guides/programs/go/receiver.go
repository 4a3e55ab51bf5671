// Receives webhooks: `./partner serve PORT STATE`. `./partner ledger STATE` prints what each user has got and paid.
package main

import (
	"crypto/rand"
	"crypto/subtle"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"os"
	"strings"
	"time"
)

const maxEventBytes = 1 << 20

// The members with the user who pays, and with the user who gets it.
var ways = map[string][2]string{
	"/transfer-webhook":       {"sourceExternalUserId", "destinationExternalUserId"},
	"/sepa-transfer-webhook":  {"user", ""},
	"/sepa-deposit-webhook":   {"", "externalUserId"},
	"/crypto-deposit-webhook": {"", "externalUserId"},
}

func open(path string) *sql.DB {
	db := must(sql.Open("sqlite3", "file:"+path+"?_busy_timeout=20000&_txlock=immediate"))
	db.SetMaxOpenConns(1)
	must(db.Exec("create table if not exists events (key text primary key, path text, body text, note text)"))
	must(db.Exec("create table if not exists bookings (account text, amount text, key text)"))
	return db
}

// movements returns what an event books, as account and amount; false for what a person has to look at.
func movements(path string, event map[string]any) (found [][2]string, ok bool) {
	if strings.ToUpper(fmt.Sprint(event["status"])) != "SUCCESSFUL" { // a crypto deposit was seen in lower case as well
		return nil, true
	}
	amount := decimal(event["amount"])
	currency, ok := event["currency"].(string)
	if !ok || amount == nil || amount.Sign() < 0 {
		return nil, false
	}
	for index, member := range ways[path] {
		user := event[member]
		if object, ok := user.(map[string]any); ok {
			user = object["externalUserId"]
		}
		sign := []int64{-1, 1}[index]
		if name, ok := user.(string); ok { // without one, it is the partner itself
			change := new(big.Rat).Mul(amount, big.NewRat(sign, 1))
			found = append(found, [2]string{name + "/" + strings.ToLower(currency), plain(change)})
		}
	}
	return found, true
}

// take keeps an event, and books it if it is new. Both are committed before the response is sent.
func take(db *sql.DB, path string, body []byte) (int, error) {
	data, err := parse(body)
	event, ok := data.(map[string]any)
	if err != nil || !ok {
		return http.StatusBadRequest, nil
	}
	id, hasID := event["id"].(string)
	if !hasID {
		id, hasID = event["cryptoDepositId"].(string)
	}
	status, hasStatus := event["status"].(string)
	var found [][2]string
	names, note := []string{path, id, strings.ToUpper(status)}, "for a person"
	if _, isKnown := ways[path]; isKnown && hasID && hasStatus {
		if found, ok = movements(path, event); ok {
			note = "done"
		}
	} else { // each delivery is kept
		unique := make([]byte, 16)
		must(rand.Read(unique))
		names = []string{path, fmt.Sprintf("%x", unique)}
	}
	key := string(must(json.Marshal(names)))
	transaction, err := db.Begin()
	if err != nil {
		return 0, err
	}
	defer transaction.Rollback() // without effect after a commit
	result, err := transaction.Exec("insert or ignore into events values (?, ?, ?, ?)", key, path, string(body), note)
	if err != nil {
		return 0, err
	}
	if count, err := result.RowsAffected(); err != nil || count == 0 {
		return http.StatusOK, err
	}
	for _, one := range found {
		if _, err := transaction.Exec("insert into bookings values (?, ?, ?)", one[0], one[1], key); err != nil {
			return 0, err
		}
	}
	return http.StatusOK, transaction.Commit()
}

func serve(port, statePath string) {
	db, token := open(statePath), []byte(os.Getenv("PARTNER_WALLET_WEBHOOK_TOKEN"))
	if len(token) == 0 {
		log.Fatal("PARTNER_WALLET_WEBHOOK_TOKEN is not set")
	}
	respond := func(request *http.Request) int {
		if request.URL.Path == "/webhook/health" {
			return http.StatusOK
		}
		if subtle.ConstantTimeCompare([]byte(request.Header.Get("authorization")), token) != 1 {
			return http.StatusUnauthorized
		}
		body, err := io.ReadAll(io.LimitReader(request.Body, maxEventBytes+1))
		if err != nil {
			return http.StatusBadRequest
		}
		if len(body) > maxEventBytes {
			return http.StatusRequestEntityTooLarge
		}
		status, err := take(db, request.URL.Path, body)
		if err != nil {
			log.Print(err)
			return http.StatusInternalServerError // the event comes again
		}
		return status
	}
	handler := func(writer http.ResponseWriter, request *http.Request) {
		status := respond(request)
		writer.Header().Set("content-type", "application/json")
		writer.WriteHeader(status)
		io.WriteString(writer, "{}")
	}
	server := http.Server{Addr: "127.0.0.1:" + port, Handler: http.HandlerFunc(handler), ReadTimeout: 30 * time.Second}
	log.Fatal(server.ListenAndServe())
}

func ledger(statePath string) {
	sums, texts := map[string]*big.Rat{}, map[string]string{}
	rows := must(open(statePath).Query("select account, amount from bookings"))
	for rows.Next() {
		var account, amount string
		if err := rows.Scan(&account, &amount); err != nil {
			log.Fatal(err)
		}
		if sums[account] == nil {
			sums[account] = new(big.Rat)
		}
		sums[account].Add(sums[account], decimal(amount))
		texts[account] = plain(sums[account])
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(must(json.Marshal(map[string]any{"sums": texts}))))
}
