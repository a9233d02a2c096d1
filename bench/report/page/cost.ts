import { type CostLine, costOf, totalOf } from '../cost.ts';
import { count } from '../format.ts';
import { markdownTable, section } from '../markdown.ts';
import { assumptions, priceText } from '../prices.ts';
import { ANCHOR, nameOf, OURS, type Results } from '../results.ts';

const compared = [ANCHOR, OURS];

const dollars = (line: CostLine | undefined): string =>
  line?.dollars === undefined ? 'not measured' : `$${line.dollars.toFixed(3)}`;

/** What a million requests cost, ours beside the anchor. */
export const costSection = (results: Results): string => {
  const bills = compared.map((id) => costOf(results, id));
  const lines = (bills[0] ?? []).map(({ what, price }) => ({
    what,
    price,
    each: bills.map((bill) => bill.find((line) => line.what === what)),
  }));
  const isWhole = ({ each }: (typeof lines)[number]) => each.every((line) => line?.dollars !== undefined);
  const summed = lines.filter(isWhole).map(({ what }) => what);
  const left = lines.filter((line) => !isWhole(line)).map(({ what }) => what);
  const totals = bills.map(
    (bill) => `$${totalOf(bill.filter(({ what }) => summed.includes(what))).toFixed(2)}`,
  );
  return section('Cost of a million requests', [
    markdownTable(
      ['', ...compared.map((id) => nameOf(results, id)), 'list price'],
      [
        ...lines.map(({ what, price, each }) => [
          what,
          ...each.map(dollars),
          `[${priceText(price)}](${price.page})`,
        ]),
        [
          '**Total**',
          ...totals.map((total) => `**${total}**`),
          left.length === 0 ? '' : `without: ${left.join(', ')}`,
        ],
      ],
    ),
    `US dollars, ${assumptions.region}, prices as of ${assumptions.asOf}: check before you rely on them. Taken for ` +
      `granted for both: ${assumptions.memory} GB on arm64, ${assumptions.coldShare * 100} % of the requests meet a ` +
      `cold start, each leaves one log line of ${count(assumptions.logBytes)} bytes. Duration is the measured wall ` +
      'time, so it costs more where DynamoDB is further away. CPU work buys time, hardly money.',
  ]);
};
