import * as z from 'zod';

const AnyObject = z.record(z.string(), z.unknown());

/**
 * Replaces `${self:...}` and `${sls:stage}` in every string of a parsed serverless.yml; other variables stay as they
 * are. Throws for a `${self:...}` that leads nowhere.
 */
export const resolveVariables = (service: unknown, stage: string): unknown => {
  const textAt = (path: string): string => {
    const value = path
      .split('.')
      .reduce<unknown>((at, name) => AnyObject.safeParse(at).data?.[name], service);
    if (typeof value !== 'string') throw new Error(`serverless.yml has no text at ${path}`);
    return resolveText(value);
  };
  const resolveText = (text: string): string =>
    text
      .replace(/\$\{sls:stage\}/g, stage)
      .replace(/\$\{self:([\w.]+)\}/g, (_, path: string) => textAt(path));
  const resolve = (value: unknown): unknown => {
    if (typeof value === 'string') return resolveText(value);
    if (Array.isArray(value)) return value.map(resolve);
    const object = AnyObject.safeParse(value).data;
    if (object === undefined) return value;
    return Object.fromEntries(Object.entries(object).map(([name, inner]) => [name, resolve(inner)]));
  };
  return resolve(service);
};
