// Pays each row of a file at most once: `./partner payouts CSV STATE`.
package main

import (
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log"
	"net/url"
	"os"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

// The time between looks for a lost call; in production minutes in all.
var pauses = []time.Duration{0, 500 * time.Millisecond, time.Second, 1500 * time.Millisecond}

type payout struct{ reference, kind, user, amount, currency, iban, title string }

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// records returns the records that look like the payment, as status by id; false when the history cannot be read.
func (p payout) records(at time.Time) (map[string]string, bool) {
	path := "partner/transaction-history"
	if p.kind != "sepa" {
		path = "user/transaction-history/" + url.PathEscape(p.user)
	}
	amount := decimal(p.amount)
	if p.kind != "fund" {
		amount.Neg(amount)
	}
	since := at.Add(-15 * time.Minute).UTC().Format("2006-01-02T15:04:05") // an older record is of another payment
	found, read := map[string]string{}, map[string]bool{}
	for _, moment := range []time.Time{at.Add(-15 * time.Minute), at, time.Now()} {
		month := moment.UTC().Format("01/2006")
		if read[month] {
			continue
		}
		read[month] = true
		verdict, code, data := call("GET", "/v1/"+path+"/"+month, nil)
		history, ok := data.([]any)
		if verdict != "done" || !ok {
			log.Printf("the history of %s: %s %s", month, verdict, code)
			return nil, false
		}
		for _, one := range history {
			record, _ := one.(map[string]any)
			has := decimal(record["amount"])
			isOld := fmt.Sprint(record["createdAt"]) < since
			if record["currency"] != p.currency || has == nil || has.Cmp(amount) != 0 || isOld {
				continue
			}
			if p.kind == "sepa" && record["transferTitle"] == p.title || p.kind != "sepa" && record["type"] == "transfer" {
				found[fmt.Sprint(record["id"])] = fmt.Sprint(record["status"])
			}
		}
	}
	return found, true
}

func (p payout) send() (verdict, code string) {
	body := map[string]any{"amount": p.amount, "currency": p.currency} // a decimal string, as it stands in the file
	path := "/v1/transfer"
	switch p.kind {
	case "sepa":
		path, body["destinationIban"], body["transferTitle"] = "/v1/partner/sepa-transfer", p.iban, p.title
	case "fund":
		body["destinationExternalUserId"] = p.user
	case "collect":
		body["sourceExternalUserId"] = p.user
	default:
		return "refused", ""
	}
	verdict, code, _ = call("POST", path, body)
	return verdict, code
}

// pay returns succeeded, failed, accepted (not final yet), unclear (a person decides) or not-sent (run it again).
func (p payout) pay(db *sql.DB) string {
	keep := func(state string, record any) string {
		must(db.Exec("update payouts set state = ?, record = ? where reference = ?", state, record, p.reference))
		return state
	}
	whom := p.user
	if p.kind == "sepa" {
		whom = p.title
	}
	what := string(must(json.Marshal([]string{p.kind, whom, p.currency, plain(decimal(p.amount))})))
	var before, known, state string
	var at time.Time
	var record sql.NullString
	find := func() error {
		row := db.QueryRow("select what, at, known, state, record from payouts where reference = ?", p.reference)
		return row.Scan(&before, &at, &known, &state, &record)
	}
	if err := find(); err == sql.ErrNoRows {
		// An equal payment has to wait until the record of the former is found: the records look alike.
		equal := "select count(*) from payouts where what = ? and record is null and state != 'failed'"
		var waiting int
		if err := db.QueryRow(equal, what).Scan(&waiting); err != nil || waiting > 0 {
			return "unclear"
		}
		now := time.Now()
		seen, ok := p.records(now)
		if !ok {
			return "not-sent"
		}
		insert := "insert into payouts values (?, ?, ?, ?, 'unclear', null)" // before the call
		must(db.Exec(insert, p.reference, what, now, string(must(json.Marshal(seen)))))
		switch verdict, code := p.send(); verdict {
		case "not-sent":
			must(db.Exec("delete from payouts where reference = ?", p.reference))
			return "not-sent"
		case "refused":
			log.Print(p.reference, " ", code)
			keep("failed", nil)
		case "done":
			keep("accepted", nil)
		}
	}
	if err := find(); err != nil {
		log.Fatal(err)
	}
	if before != what {
		log.Fatal(p.reference, " was another payment")
	}
	if state == "succeeded" || state == "failed" {
		return state
	}
	var seen map[string]string
	if err := json.Unmarshal([]byte(known), &seen); err != nil {
		log.Fatal(err)
	}
	for _, pause := range pauses {
		time.Sleep(pause)
		found, _ := p.records(at)
		for id, status := range found {
			if _, isOld := seen[id]; record.Valid && id != record.String || !record.Valid && isOld {
				continue
			}
			ends := map[string]string{"SUCCESSFUL": "succeeded", "UNSUCCESSFUL": "failed"}
			if ends[status] == "" {
				return keep("accepted", id)
			}
			return keep(ends[status], id)
		}
	}
	return state
}

func payouts(csvPath, statePath string) {
	// Each statement commits, and is flushed. The second statement fails while another run works; the lock ends with the process.
	db := must(sql.Open("sqlite3", "file:"+statePath+"?_busy_timeout=0"))
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		"pragma locking_mode = exclusive", "begin exclusive",
		`create table if not exists payouts (reference text primary key, what text, at timestamp, known text,
			state text, record text)`,
		"commit",
	} {
		must(db.Exec(statement))
	}
	file := must(os.Open(csvPath))
	status := 0
	for _, row := range must(csv.NewReader(file).ReadAll())[1:] {
		p := payout{row[0], row[1], row[2], row[3], row[4], row[5], row[6]}
		if decimal(p.amount) == nil {
			log.Fatal(p.reference, ": no amount")
		}
		result := p.pay(db)
		fmt.Println(result, p.reference)
		if result == "not-sent" {
			status = 1
		}
	}
	os.Exit(status)
}
