<?php
/** Receives webhooks: `php receiver.php serve PORT STATE`. `ledger STATE` prints what each user has got and paid. */
declare(strict_types=1);

require __DIR__ . '/wallet.php'; // for parse()

const MOST_EVENT_BYTES = 2 ** 20;
/** The members with the user who pays, and with the user who gets it. */
const WAYS = [
    '/transfer-webhook' => ['sourceExternalUserId', 'destinationExternalUserId'],
    '/sepa-transfer-webhook' => ['user', null],
    '/sepa-deposit-webhook' => [null, 'externalUserId'],
    '/crypto-deposit-webhook' => [null, 'externalUserId'],
];

function database(): PDO
{
    $db = new PDO('sqlite:' . getenv('RECEIVER_STATE'), options: [PDO::ATTR_TIMEOUT => 20]);
    $db->exec('create table if not exists events (key text primary key, path text, body text, note text)');
    $db->exec('create table if not exists bookings (account text, amount text, key text)');
    return $db;
}

/** What an event books, as [account, amount]; null for what a person has to look at. */
function movements(string $path, array $event): ?array
{
    if (strtoupper($event['status']) !== 'SUCCESSFUL') { // a crypto deposit was seen in lower case as well
        return [];
    }
    [$amount, $currency] = [$event['amount'] ?? null, $event['currency'] ?? null];
    if (!is_string($amount) || !preg_match('/^\d{1,40}(\.\d{1,40})?$/D', $amount) || !is_string($currency)) {
        return null;
    }
    $found = [];
    foreach ([['-', WAYS[$path][0]], ['', WAYS[$path][1]]] as [$sign, $member]) {
        $user = $event[$member ?? ''] ?? null;
        $user = is_array($user) ? $user['externalUserId'] ?? null : $user;
        if (is_string($user)) { // without one, it is the partner itself
            $found[] = [$user . '/' . strtolower($currency), $sign . $amount];
        }
    }
    return $found;
}

/** Keeps an event, and books it if it is new. Both are committed before the response is sent. */
function take(string $path, string $body): int
{
    try {
        $event = parse($body);
    } catch (JsonException) {
        return 400;
    }
    if (!is_array($event) || !str_starts_with(ltrim($body), '{')) {
        return 400;
    }
    [$id, $status] = [$event['id'] ?? $event['cryptoDepositId'] ?? null, $event['status'] ?? null];
    $isNamed = isset(WAYS[$path]) && is_string($id) && is_string($status); // otherwise each delivery is kept
    $key = json_encode([$path, ...($isNamed ? [$id, strtoupper($status)] : [bin2hex(random_bytes(16))])], JSON_THROW_ON_ERROR);
    $found = $isNamed ? movements($path, $event) : null;
    $db = database();
    $db->exec('begin immediate'); // without a commit nothing is kept, and the response is 500: the event comes again
    $new = $db->prepare('insert or ignore into events values (?, ?, ?, ?)');
    $new->execute([$key, $path, $body, $found === null ? 'for a person' : 'done']);
    foreach ($new->rowCount() === 1 ? $found ?? [] : [] as $one) {
        $db->prepare('insert into bookings values (?, ?, ?)')->execute([...$one, $key]);
    }
    $db->exec('commit');
    return 200;
}

function respond(): int
{
    $path = explode('?', $_SERVER['REQUEST_URI'])[0];
    if ($path === '/webhook/health') {
        return 200;
    }
    $token = getenv('PARTNER_WALLET_WEBHOOK_TOKEN') ?: throw new RuntimeException('PARTNER_WALLET_WEBHOOK_TOKEN is not set');
    if (!hash_equals($token, $_SERVER['HTTP_AUTHORIZATION'] ?? '')) {
        return 401;
    }
    $body = (string) file_get_contents('php://input', length: MOST_EVENT_BYTES + 1);
    return strlen($body) > MOST_EVENT_BYTES ? 413 : take($path, $body);
}

if (PHP_SAPI !== 'cli') { // a web server runs this file for every path
    http_response_code(500); // what an error ends with
    header('content-type: application/json');
    $status = respond();
    http_response_code($status);
    echo '{}';
} elseif ($argv[1] === 'serve') {
    putenv("RECEIVER_STATE=$argv[3]");
    putenv('PHP_CLI_SERVER_WORKERS=4');
    database();
    pcntl_exec(PHP_BINARY, ['-S', "127.0.0.1:$argv[2]", __FILE__], getenv());
} else {
    putenv("RECEIVER_STATE=$argv[2]");
    $sums = [];
    foreach (database()->query('select account, amount from bookings') as [$account, $amount]) {
        $sums[$account] = bcadd($sums[$account] ?? '0', $amount, 40);
    }
    echo json_encode(['sums' => (object) array_map(fn ($sum) => preg_replace('/\.?0+$/', '', $sum), $sums)]), "\n";
}
