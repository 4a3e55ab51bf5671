# Receives webhooks: `ruby receiver.rb serve PORT STATE`. `ledger STATE` prints what each user has got and paid.
require "bigdecimal"
require "bigdecimal/util"
require "json"
require "rack"
require "securerandom"
require "sqlite3"

# A Rack application, for any server and, in Rails, for `mount Receiver.new(path) => "/wallet"`.
class Receiver
  MOST_BYTES = 2**20 # of an event
  AMOUNT = /\A\d{1,20}(\.\d{1,20})?([eE][-+]?[01]?\d)?\z/
  # The members with the user who pays, and with the user who gets it.
  WAYS = {
    "/transfer-webhook" => %w[sourceExternalUserId destinationExternalUserId],
    "/sepa-transfer-webhook" => ["user", nil],
    "/sepa-deposit-webhook" => [nil, "externalUserId"],
    "/crypto-deposit-webhook" => [nil, "externalUserId"],
  }.freeze

  def initialize(path)
    @token = ENV.fetch("PARTNER_WALLET_WEBHOOK_TOKEN", "")
    raise ArgumentError, "PARTNER_WALLET_WEBHOOK_TOKEN is not set" if @token.empty? # it would let everybody in

    @lock = Mutex.new
    @db = SQLite3::Database.new(path)
    @db.busy_timeout = 20_000 # milliseconds
    @db.execute("create table if not exists events (key text primary key, path text, body text, note text)")
    @db.execute("create table if not exists bookings (account text, amount text, key text)")
  end

  def call(env)
    [respond(env), { "content-type" => "application/json" }, ["{}"]]
  end

  def sums
    all = @db.execute("select account, amount from bookings").group_by(&:first)
    all.transform_values { |rows| rows.sum { |_, amount| amount.to_d }.to_s("F") }
  end

  private

  def respond(env)
    return 200 if env["PATH_INFO"] == "/webhook/health"
    return 401 unless Rack::Utils.secure_compare(@token, env["HTTP_AUTHORIZATION"].to_s)

    body = String.new(env["rack.input"].read(MOST_BYTES + 1) || "", encoding: "UTF-8")
    body.bytesize > MOST_BYTES ? 413 : take(env["PATH_INFO"], body)
  end

  # Keeps an event, and books it if it is new. Both are committed before the response is sent.
  def take(path, body)
    event = JSON.parse(body, decimal_class: BigDecimal) if body.valid_encoding?
    return 400 unless event.is_a?(Hash)

    names = [event["id"] || event["cryptoDepositId"], event["status"]]
    named = WAYS.key?(path) && names.all?(String) # otherwise each delivery is kept
    key = JSON.generate([path, *(named ? [names[0], names[1].upcase] : [SecureRandom.uuid])])
    found = movements(path, event) if named
    values = [key, path, body, found ? "done" : "for a person"]
    # An error rolls it back, and the response is 500: the event comes again.
    @lock.synchronize do
      @db.transaction(:immediate) do
        @db.execute("insert or ignore into events values (?, ?, ?, ?)", values)
        next if @db.changes.zero?

        found&.each { |one| @db.execute("insert into bookings values (?, ?, ?)", [*one, key]) }
      end
    end
    200
  rescue JSON::ParserError
    400
  end

  # What an event books, as [account, amount]; nil for what a person has to look at.
  def movements(path, event)
    return [] if event["status"].upcase != "SUCCESSFUL" # a crypto deposit was seen in lower case as well

    amount, currency = amount_of(event["amount"]), event["currency"]
    return nil if amount.nil? || !currency.is_a?(String)

    WAYS[path].zip([-1, 1]).filter_map do |member, sign|
      user = event[member]
      user = user["externalUserId"] if user.is_a?(Hash)
      # Without a user, it is the partner itself.
      ["#{user}/#{currency.downcase}", (sign * amount).to_s("F")] if user.is_a?(String)
    end
  end

  def amount_of(value)
    value = value.to_s if value.is_a?(Numeric)
    value.to_d if value.is_a?(String) && value.match?(AMOUNT)
  end
end

if $PROGRAM_NAME == __FILE__
  if ARGV[0] == "serve"
    require "rack/handler/webrick"
    options = { Host: "127.0.0.1", Port: ARGV[1].to_i, AccessLog: [], Logger: WEBrick::Log.new($stderr, WEBrick::Log::WARN) }
    Rack::Handler::WEBrick.run(Receiver.new(ARGV[2]), **options)
  else
    puts JSON.generate(sums: Receiver.new(ARGV[1]).sums)
  end
end
