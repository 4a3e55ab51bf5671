import { wordsOf } from "../text/words.ts";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";
import { Table } from "./table.tsx";

export function MockCountries() {
  return (
    <Table
      rows={usePage().site.mockValues.countries}
      columns={{
        Country: ({ values }) => <InlineProse text={values.map((value) => `\`${value}\``).join(", ")} />,
        "What it is for": ({ name }) => wordsOf(name),
        "What happens": ({ outcome }) => <InlineProse text={outcome} />,
      }}
    />
  );
}

export function MockNetworks() {
  return (
    <Table
      rows={usePage().site.mockValues.networks}
      columns={{
        Currency: ({ currency }) => <code>{currency}</code>,
        Network: ({ network }) => <code>{network}</code>,
        Fee: ({ fee }) => fee,
        "Network fee": ({ networkFee }) => networkFee,
        "Smallest withdrawal": ({ minWithdrawal }) => minWithdrawal,
        "Smallest deposit": ({ minDeposit }) => minDeposit,
      }}
    />
  );
}

export function MockDelays() {
  return (
    <Table
      rows={Object.entries(usePage().site.mockValues.delays)}
      columns={{ "What follows": ([name]) => wordsOf(name), Seconds: ([, seconds]) => seconds }}
    />
  );
}
