# Pays each row of a file at most once: `ruby payouts.rb CSV STATE`.
require "erb"
require "sqlite3"
require "time"
require_relative "wallet"

PAUSES = [0, 0.5, 1, 1.5].freeze # seconds between looks for a lost call; in production minutes in all
CSV_PATH, STATE_PATH = ARGV
DB = SQLite3::Database.new(STATE_PATH) # each statement commits, and is flushed
DB.execute("pragma locking_mode = exclusive")
DB.execute("begin exclusive") # fails while another run works; the lock ends with the process
DB.execute("create table if not exists payouts (reference text primary key, what text, at text, known text, " \
           "state text, record text)")
DB.execute("commit")

# The records that look like the payment, as status by id; nil when the history cannot be read.
def records(row, at)
  sepa = row["kind"] == "sepa"
  path = sepa ? "partner/transaction-history" : "user/transaction-history/#{ERB::Util.url_encode(row["user"])}"
  amount = row["amount"].to_d * (row["kind"] == "fund" ? 1 : -1)
  since = (at - 15 * 60).getutc.strftime("%Y-%m-%dT%H:%M:%S") # an older record is of another payment
  found = {}
  [at - 15 * 60, at, Time.now].map { |time| time.getutc.strftime("%m/%Y") }.uniq.each do |month|
    verdict, code, history = call("GET", "/v1/#{path}/#{month}")
    if verdict != "done"
      warn "the history of #{month}: #{verdict} #{code}"
      return nil
    end
    history.each do |record|
      same = record["currency"] == row["currency"] && record["amount"].to_d == amount
      same &&= sepa ? record["transferTitle"] == row["title"] : record["type"] == "transfer"
      found[record["id"]] = record["status"] if same && (record["createdAt"] || "9") >= since
    end
  end
  found
end

def transmit(row)
  body = { amount: row["amount"], currency: row["currency"] } # a decimal string, as it stands in the file
  if row["kind"] == "sepa"
    return call("POST", "/v1/partner/sepa-transfer", body.merge(destinationIban: row["iban"], transferTitle: row["title"]))
  end

  side = row["kind"] == "fund" ? :destinationExternalUserId : :sourceExternalUserId
  call("POST", "/v1/transfer", body.merge(side => row["user"]))
end

def keep(reference, state, record = nil)
  DB.execute("update payouts set state = ?, record = ? where reference = ?", [state, record, reference])
  state
end

# Returns succeeded, failed, accepted (not final yet), unclear (a person decides) or not-sent (run it again).
def pay(row)
  reference = row["reference"]
  whom = row["kind"] == "sepa" ? row["title"] : row["user"]
  what = JSON.generate([row["kind"], whom, row["currency"], plain(row["amount"])])
  find = "select what, at, known, state, record from payouts where reference = ?"
  if DB.get_first_row(find, [reference]).nil?
    # An equal payment has to wait until the record of the former is found: the records look alike.
    return "unclear" if DB.get_first_row("select 1 from payouts where what = ? and record is null and state != 'failed'", [what])

    now = Time.now
    known = records(row, now)
    return "not-sent" if known.nil?

    values = [reference, what, now.iso8601, JSON.generate(known.keys)]
    DB.execute("insert into payouts values (?, ?, ?, ?, 'unclear', null)", values) # before the call
    verdict, code = transmit(row)
    if verdict == "not-sent"
      DB.execute("delete from payouts where reference = ?", [reference])
      return "not-sent"
    end
    warn "#{reference} #{code}" if verdict == "refused"
    keep(reference, verdict == "done" ? "accepted" : "failed") if verdict != "unknown"
  end
  before, at, known, state, record = DB.get_first_row(find, [reference])
  raise "#{reference} was another payment" if before != what
  return state if %w[succeeded failed].include?(state)

  PAUSES.each do |pause|
    sleep pause
    found = records(row, Time.iso8601(at)) || {}
    id = record ? found.keys.find { |one| one == record } : (found.keys - JSON.parse(known)).first
    next if id.nil?

    ends = { "SUCCESSFUL" => "succeeded", "UNSUCCESSFUL" => "failed" }
    return keep(reference, ends.fetch(found[id], "accepted"), id)
  end
  state
end

names, *lines = File.readlines(CSV_PATH, chomp: true).map { |line| line.split(",", -1) }
results = lines.map do |values|
  row = names.zip(values).to_h
  pay(row).tap { |result| puts "#{result} #{row["reference"]}" }
end
exit results.include?("not-sent") ? 1 : 0
