import * as z from 'zod';

const AnyObject = z.record(z.string(), z.unknown());
const Text = z.union([z.string(), z.number()]).transform(String);

/**
 * Replaces `${self:...}`, `${param:...}` and `${sls:stage}` in every string of a parsed serverless.yml; other
 * variables stay as they are. A param is the stage's own or else the default one. Throws for a variable that leads
 * nowhere.
 */
export const resolveVariables = (service: unknown, stage: string): unknown => {
  const valueAt = (path: readonly string[]) =>
    path.reduce<unknown>((at, name) => AnyObject.safeParse(at).data?.[name], service);
  const textOf = (value: unknown, name: string): string => {
    const text = Text.safeParse(value);
    if (!text.success) throw new Error(`serverless.yml has no text at ${name}`);
    return resolveText(text.data);
  };
  const paramAt = (name: string) => valueAt(['params', stage, name]) ?? valueAt(['params', 'default', name]);
  const resolveText = (text: string): string =>
    text
      .replace(/\$\{sls:stage\}/g, stage)
      .replace(/\$\{param:(\w+)\}/g, (_, name: string) => textOf(paramAt(name), `params.${name}`))
      .replace(/\$\{self:([\w.]+)\}/g, (_, path: string) => textOf(valueAt(path.split('.')), path));
  const resolve = (value: unknown): unknown => {
    if (typeof value === 'string') return resolveText(value);
    if (Array.isArray(value)) return value.map(resolve);
    const object = AnyObject.safeParse(value).data;
    if (object === undefined) return value;
    return Object.fromEntries(Object.entries(object).map(([name, inner]) => [name, resolve(inner)]));
  };
  return resolve(service);
};
