/** One list price in US dollars, and the page it is from. */
export type Price = { readonly dollars: number; readonly per: string; readonly page: string };

const LAMBDA = 'https://aws.amazon.com/lambda/pricing/';
const API_GATEWAY = 'https://aws.amazon.com/api-gateway/pricing/';
const DYNAMODB = 'https://aws.amazon.com/dynamodb/pricing/on-demand/';
const CLOUDWATCH = 'https://aws.amazon.com/cloudwatch/pricing/';

/** List prices of us-east-1 as of November 2026: check before you rely on them. */
export const prices = {
  lambdaRequests: { dollars: 0.2, per: 'million requests', page: LAMBDA },
  lambdaDuration: { dollars: 0.0000133334, per: 'GB-second, arm64', page: LAMBDA },
  httpApi: { dollars: 1, per: 'million requests', page: API_GATEWAY },
  readUnits: { dollars: 0.125, per: 'million read units', page: DYNAMODB },
  writeUnits: { dollars: 0.625, per: 'million write units', page: DYNAMODB },
  logs: { dollars: 0.5, per: 'GB ingested', page: CLOUDWATCH },
} as const satisfies Readonly<Record<string, Price>>;

/** What the reckoning takes for granted, the same for every variant. */
export const assumptions = {
  region: 'us-east-1',
  asOf: 'November 2026',
  /** GB of the function: 512 MB. */
  memory: 0.5,
  /** Of all requests. */
  coldShare: 0.01,
  /** The one line that our function logs per request. */
  logBytes: 300,
} as const;

/** A list price in words: `$0.20 per million requests`. */
export const priceText = ({ dollars, per }: Price): string =>
  `$${String(dollars).replace(/^\d+$/, '$&.00').replace(/\.\d$/, '$&0')} per ${per}`;
