# Calls of the partner API. `ruby wallet.rb` shows a call that succeeds and one that fails.
require "bigdecimal"
require "bigdecimal/util"
require "json"
require "net/http"

BASE = URI(ENV.fetch("PARTNER_WALLET_BASE_URL", "http://127.0.0.1:4010"))
KEY = ENV.fetch("PARTNER_WALLET_API_KEY", "any-key-will-do-for-the-mock")
MOST_BYTES = 10 * 2**20 # of a response

# Returns the verdict ("done", "not-sent", "refused" or "unknown"), the P-code or nil, and the parsed body.
def call(method, path, body = nil)
  payload = body && JSON.generate(body)
  http = Net::HTTP.new(BASE.host, BASE.port)
  http.use_ssl = BASE.scheme == "https"
  http.open_timeout = 10 # seconds
  http.read_timeout = 30
  http.max_retries = 0 # otherwise a PUT or DELETE is sent again when its response is lost
  begin
    http.start
  rescue StandardError
    return ["not-sent", nil, nil]
  end
  text = +""
  headers = { "x-api-key" => KEY, "content-type" => "application/json" }
  request = Net::HTTPGenericRequest.new(method, !payload.nil?, true, BASE.path + path, headers)
  begin
    response = http.request(request, payload) do |arriving|
      arriving.read_body { |part| (text << part).bytesize > MOST_BYTES and raise IOError, "too long" }
    end
    data = JSON.parse(text, decimal_class: BigDecimal)
  rescue JSON::ParserError # not JSON, or cut off
    data = nil
  rescue StandardError
    return ["unknown", nil, nil]
  ensure
    http.finish if http.started?
  end
  code = data["errorCode"] if data.is_a?(Hash)
  code = nil unless code.is_a?(String) && code.match?(/\AP\d{3}\z/)
  [verdict(response.code.to_i, code, data), code, data]
end

def verdict(status, code, data)
  return data.nil? ? "unknown" : "done" if status.between?(200, 299)
  return code.start_with?("P4") ? "refused" : "unknown" if code # P500, P501 or a new one

  status.between?(401, 431) && ![408, 409, 425].include?(status) ? "refused" : "unknown"
end

# What your program does about a call that was not done. The verdict comes first, then the code.
def advice(verdict, code)
  return "nothing has happened: correct it, or send it later" if verdict == "not-sent"
  return "it may have happened: look before you repeat it" if verdict == "unknown"

  case code
  when "P433" then "ask the user to top up"
  when "P412", "P459" then "send the user to onboarding"
  when "P403", "P424" then "a mistake of ours: tell the developers"
  else "tell operations: #{code || "key or allow-list"}" # a code that you do not know, or a 401, which has none
  end
end

# A number as text without an exponent: 0.1, not 0.1e0.
def plain(number)
  number.to_d.to_s("F").delete_suffix(".0")
end

if $PROGRAM_NAME == __FILE__
  outcome, code, records = call("GET", "/v1/user/transaction-history/user-1042/04/2026")
  abort "#{outcome}: #{advice(outcome, code)}" if outcome != "done"
  eur = records.select { |record| record["currency"] == "eur" && record["status"] == "SUCCESSFUL" }
  spent = eur.select { |record| record["amount"].to_d.negative? }
  puts JSON.pretty_generate(spent[0].transform_values { |value| value.is_a?(BigDecimal) ? plain(value) : value })
  puts "spent in April: #{plain(spent.sum { |record| record["amount"].to_d })}"
  transfer = { sourceExternalUserId: "user-1042", currency: "eur", amount: "1000000.00" }
  outcome, code = call("POST", "/v1/transfer", transfer)
  puts [outcome, code, advice(outcome, code)].compact.join(" ")
end
