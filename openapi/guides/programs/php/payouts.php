<?php
/** Pays each row of a file at most once: `php payouts.php CSV STATE`. */
declare(strict_types=1);

require __DIR__ . '/wallet.php';

const PAUSES = [0, 0.5, 1, 1.5]; // seconds between looks for a lost call; in production minutes in all
[, $csvPath, $statePath] = $argv;
// Each statement commits, and is flushed.
$db = new PDO("sqlite:$statePath", options: [PDO::ATTR_TIMEOUT => 0, PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC]);
$db->exec('pragma locking_mode = exclusive');
$db->exec('begin exclusive'); // fails while another run works; the lock ends with the process
$db->exec('create table if not exists payouts (reference text primary key, what text, at text, known text,
    state text, record text)');
$db->exec('commit');

function query(string $sql, array $values): ?array
{
    global $db;
    $statement = $db->prepare($sql);
    $statement->execute($values);
    return $statement->fetch() ?: null;
}

/** The records that look like the payment, as status by id; null when the history cannot be read. */
function records(array $row, int $at): ?array
{
    $isSepa = $row['kind'] === 'sepa';
    $path = $isSepa ? 'partner/transaction-history' : 'user/transaction-history/' . rawurlencode($row['user']);
    $amount = ($row['kind'] === 'fund' ? '' : '-') . $row['amount'];
    $since = gmdate('Y-m-d\TH:i:s', $at - 15 * 60); // an older record is of another payment
    $found = [];
    $months = array_map(fn (int $time) => gmdate('m/Y', $time), [$at - 15 * 60, $at, time()]);
    foreach (array_unique($months) as $month) {
        [$verdict, $code, $history] = call('GET', "/v1/$path/$month");
        if ($verdict !== 'done') {
            fwrite(STDERR, "the history of $month: $verdict $code\n");
            return null;
        }
        foreach ($history as $record) {
            $has = $record['amount'] ?? '';
            // Of up to 8 decimal places.
            $isSame = ($record['currency'] ?? '') === $row['currency']
                && preg_match('/^-?\d+(\.\d+)?$/D', $has) && bccomp($has, $amount, 18) === 0
                && ($isSepa ? ($record['transferTitle'] ?? '') === $row['title'] : ($record['type'] ?? '') === 'transfer');
            if ($isSame && strcmp($record['createdAt'] ?? '9', $since) >= 0) {
                $found[$record['id']] = $record['status'] ?? '';
            }
        }
    }
    return $found;
}

function send(array $row): array
{
    $body = ['amount' => $row['amount'], 'currency' => $row['currency']]; // a decimal string, as it stands in the file
    if ($row['kind'] === 'sepa') {
        $about = ['destinationIban' => $row['iban'], 'transferTitle' => $row['title']];
        return call('POST', '/v1/partner/sepa-transfer', $about + $body);
    }
    $side = $row['kind'] === 'fund' ? 'destinationExternalUserId' : 'sourceExternalUserId';
    return call('POST', '/v1/transfer', [$side => $row['user']] + $body);
}

function keep(string $reference, string $state, ?string $record = null): string
{
    query('update payouts set state = ?, record = ? where reference = ?', [$state, $record, $reference]);
    return $state;
}

/** Returns succeeded, failed, accepted (not final yet), unclear (a person decides) or not-sent (run it again). */
function pay(array $row): string
{
    $reference = $row['reference'];
    $whom = $row['kind'] === 'sepa' ? $row['title'] : $row['user'];
    $what = json_encode([$row['kind'], $whom, $row['currency'], bcadd($row['amount'], '0', 18)]);
    $find = 'select what, at, known, state, record from payouts where reference = ?';
    if (query($find, [$reference]) === null) {
        // An equal payment has to wait until the record of the former is found: the records look alike.
        if (query("select 1 from payouts where what = ? and record is null and state != 'failed'", [$what])) {
            return 'unclear';
        }
        $at = time();
        $known = records($row, $at);
        if ($known === null) {
            return 'not-sent';
        }
        $values = [$reference, $what, $at, json_encode(array_keys($known))];
        query("insert into payouts values (?, ?, ?, ?, 'unclear', null)", $values); // before the call
        [$verdict, $code] = send($row);
        if ($verdict === 'not-sent') {
            query('delete from payouts where reference = ?', [$reference]);
            return 'not-sent';
        }
        if ($verdict === 'refused') {
            fwrite(STDERR, "$reference $code\n");
        }
        if ($verdict !== 'unknown') {
            keep($reference, $verdict === 'done' ? 'accepted' : 'failed');
        }
    }
    ['what' => $before, 'at' => $at, 'known' => $known, 'state' => $state, 'record' => $record] = query($find, [$reference]);
    if ($before !== $what) {
        throw new DomainException("$reference was another payment");
    }
    if (in_array($state, ['succeeded', 'failed'], true)) {
        return $state;
    }
    foreach (PAUSES as $pause) {
        usleep((int) ($pause * 1e6));
        $found = records($row, (int) $at) ?? [];
        $new = $record === null ? array_diff_key($found, array_flip(json_decode($known))) : array_intersect_key($found, [$record => 1]);
        if ($new !== []) {
            $ends = ['SUCCESSFUL' => 'succeeded', 'UNSUCCESSFUL' => 'failed'];
            return keep($reference, $ends[reset($new)] ?? 'accepted', (string) key($new));
        }
    }
    return $state;
}

$lines = array_map(fn (string $line) => str_getcsv($line, ',', '"', ''), file($csvPath, FILE_IGNORE_NEW_LINES));
$names = array_shift($lines);
$notSent = 0;
foreach ($lines as $values) {
    $row = array_combine($names, $values);
    $result = pay($row);
    echo "$result {$row['reference']}\n";
    $notSent += $result === 'not-sent' ? 1 : 0;
}
exit($notSent > 0 ? 1 : 0);
