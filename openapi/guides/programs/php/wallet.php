<?php
/** Calls of the partner API. `php wallet.php` shows a call that succeeds and one that fails. */
declare(strict_types=1);

define('BASE', getenv('PARTNER_WALLET_BASE_URL') ?: 'http://127.0.0.1:4010');
define('KEY', getenv('PARTNER_WALLET_API_KEY') ?: 'any-key-will-do-for-the-mock');
const MOST_BYTES = 10 * 2 ** 20; // of a response

/** Parses JSON with each number as a string for bcmath, 1e-7 as 0.0000001: json_decode alone would make floats of them. */
function parse(string $json): mixed
{
    json_decode($json, flags: JSON_THROW_ON_ERROR);
    $string = '"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"';
    $number = '(-?\d[\d.]*)(?:[eE]([-+]?\d{1,2}\b))?[\d.eE+-]*'; // an exponent of more digits stays as it is
    $plain = fn (array $found) => isset($found[2])
        ? preg_replace('/\.?0+$/D', '', bcmul($found[1], bcpow('10', (string) (int) $found[2], 99), 99 + strlen($found[1])))
        : $found[0];
    $quoted = preg_replace_callback("/$string(*SKIP)(*FAIL)|$number/", fn ($found) => "\"{$plain($found)}\"", $json);
    return json_decode((string) $quoted, true, flags: JSON_THROW_ON_ERROR);
}

/** Returns the verdict ("done", "not-sent", "refused" or "unknown"), the P-code or null, and the parsed body. */
function call(string $method, string $path, ?array $body = null): array
{
    $curl = curl_init(BASE . $path);
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => ['x-api-key: ' . KEY, 'content-type: application/json'],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_CONNECTTIMEOUT => 10, // seconds
        CURLOPT_TIMEOUT => 30,
        CURLOPT_MAXFILESIZE => MOST_BYTES,
    ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => json_encode($body, JSON_THROW_ON_ERROR)]));
    $text = curl_exec($curl);
    if ($text === false) {
        $isSent = !in_array(curl_errno($curl), [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT], true);
        return [$isSent ? 'unknown' : 'not-sent', null, null];
    }
    try {
        $data = parse($text);
    } catch (JsonException) {
        $data = null;
    }
    $code = is_array($data) ? $data['errorCode'] ?? null : null;
    $code = is_string($code) && preg_match('/^P\d{3}$/D', $code) ? $code : null;
    return [verdict(curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $code, $data), $code, $data];
}

function verdict(int $status, ?string $code, mixed $data): string
{
    if ($status >= 200 && $status < 300) {
        return $data === null ? 'unknown' : 'done';
    }
    if ($code !== null) {
        return str_starts_with($code, 'P4') ? 'refused' : 'unknown'; // P500, P501 or a new one
    }
    return $status >= 401 && $status <= 431 && !in_array($status, [408, 409, 425], true) ? 'refused' : 'unknown';
}

/** What your program does about a call that was not done. The verdict comes first, then the code. */
function advice(string $verdict, ?string $code): string
{
    return match ($verdict) {
        'not-sent' => 'nothing has happened: correct it, or send it later',
        'unknown' => 'it may have happened: look before you repeat it',
        default => match ($code) {
            'P433' => 'ask the user to top up',
            'P412', 'P459' => 'send the user to onboarding',
            'P403', 'P424' => 'a mistake of ours: tell the developers',
            // A code that you do not know, or a 401, which has none.
            default => 'tell operations: ' . ($code ?? 'key or allow-list'),
        },
    };
}

if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    [$verdict, $code, $records] = call('GET', '/v1/user/transaction-history/user-1042/04/2026');
    if ($verdict !== 'done') {
        exit("$verdict: " . advice($verdict, $code) . "\n");
    }
    $eur = array_filter($records, fn ($one) => $one['currency'] === 'eur' && $one['status'] === 'SUCCESSFUL');
    $spent = array_values(array_filter($eur, fn ($one) => bccomp($one['amount'], '0', 8) < 0));
    echo json_encode($spent[0], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES), "\n";
    $sum = array_reduce($spent, fn ($sum, $one) => bcadd($sum, $one['amount'], 8), '0');
    echo 'spent in April: ', preg_replace('/\.?0+$/', '', $sum), "\n";
    $transfer = ['sourceExternalUserId' => 'user-1042', 'currency' => 'eur', 'amount' => '1000000.00'];
    [$verdict, $code] = call('POST', '/v1/transfer', $transfer);
    echo "$verdict $code ", advice($verdict, $code), "\n";
}
