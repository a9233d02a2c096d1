import { assumptions, type Price, prices } from './prices.ts';
import { findMeasurement, type Results } from './results.ts';
import { valuesOf } from './stats.ts';

/** One line of the bill for a million requests. */
export type CostLine = {
  readonly what: string;
  /** US dollars per million requests; undefined where what it is reckoned from was not measured. */
  readonly dollars: number | undefined;
  readonly price: Price;
};

const MILLION = 1_000_000;
const BYTES_PER_GB = 1_000_000_000;

/** Dollars of `requests` that take `milliseconds` each. */
const duration = (requests: number, milliseconds: number | undefined): number | undefined =>
  milliseconds === undefined
    ? undefined
    : (requests * milliseconds * assumptions.memory * prices.lambdaDuration.dollars) / 1000;

const product = (price: Price, units: number | undefined): number | undefined =>
  units === undefined ? undefined : price.dollars * units;

/**
 * What a million requests of a variant cost, line by line, in US dollars: from its measured units, wall time and
 * cold start.
 *
 * @param logBytes bytes that each request leaves in the log
 */
export const costOf = (
  results: Results,
  variantId: string,
  logBytes: number = assumptions.logBytes,
): readonly CostLine[] => {
  const median = (id: string) => valuesOf(findMeasurement(results, id), variantId)?.median;
  return [
    { what: 'HTTP API', dollars: prices.httpApi.dollars, price: prices.httpApi },
    { what: 'Lambda requests', dollars: prices.lambdaRequests.dollars, price: prices.lambdaRequests },
    { what: 'Lambda duration', dollars: duration(MILLION, median('wall')), price: prices.lambdaDuration },
    {
      what: 'Cold starts',
      dollars: duration(MILLION * assumptions.coldShare, median('cold-512')),
      price: prices.lambdaDuration,
    },
    {
      what: 'DynamoDB reads',
      dollars: product(prices.readUnits, median('read-units')),
      price: prices.readUnits,
    },
    {
      what: 'DynamoDB writes',
      dollars: product(prices.writeUnits, median('write-units')),
      price: prices.writeUnits,
    },
    {
      what: 'Log line',
      dollars: (MILLION * logBytes * prices.logs.dollars) / BYTES_PER_GB,
      price: prices.logs,
    },
  ];
};

/** Their sum in US dollars; what was not measured is left out, and the caller has to say so. */
export const totalOf = (lines: readonly CostLine[]): number =>
  lines.reduce((sum, line) => sum + (line.dollars ?? 0), 0);
