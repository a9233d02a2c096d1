import type { Editable, FileName, Sent } from '../case.ts';
import type { Answer, NoAnswer } from '../http/answer.ts';
import type { Client } from '../http/client.ts';
import { toHttpRequest } from '../http/request.ts';
import type { LookUp } from '../http/template.ts';
import type { World } from '../world.ts';
import type { Observed } from './laws.ts';

/** What is known of a file that the suite writes. `now` is undefined where an answer left it in doubt. */
export type FileInUse = {
  readonly name: FileName;
  /** Every field, as the first answer had it. */
  readonly found: Readonly<Record<string, unknown>>;
  /** What it is left with in the end. */
  readonly original: Editable;
  now: Editable | undefined;
  etag: string | undefined;
  /** The etag before this one. */
  stale: string | undefined;
};

/** What the cases of one run share. */
export type Run = {
  readonly client: Client;
  readonly world: World;
  /** The texts of the world, by their names. */
  readonly values: ReadonlyMap<string, string>;
  /** Puts placeholders in the place of API keys: for everything that is told of an answer. */
  readonly mask: (text: string) => string;
  readonly observe: (observed: Observed & { readonly sent: Sent }) => void;
};

/** Placeholders of a request about a file: the texts of the world, and the file's etags. */
export const lookUpFor =
  (
    { values }: Pick<Run, 'values'>,
    file: { etag?: string | undefined; stale?: string | undefined },
  ): LookUp =>
  (name) => {
    if (name === 'etag') return file.etag;
    return name === 'stale' ? file.stale : values.get(name);
  };

/** Sends a request about a file. An answer of the gateway's own is not held to the laws of the operation. */
export const exchange = async (
  run: Run,
  { file, sent, isGateways = false }: { file: FileInUse; sent: Sent; isGateways?: boolean },
): Promise<Answer | NoAnswer> => {
  const request = toHttpRequest(sent, { file: file.name, lookUp: lookUpFor(run, file) });
  const answer = await run.client.send(request);
  if ('text' in answer && !isGateways) run.observe({ answer, file: file.name, sent });
  return answer;
};
