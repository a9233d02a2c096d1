import * as z from 'zod';

const AnyObject = z.record(z.string(), z.unknown());

/** A CloudFormation template, as far as every one of them has the same form. */
export const TemplateSchema = z.looseObject({
  Resources: z.record(z.string(), z.looseObject({ Type: z.string(), Properties: AnyObject })),
  Outputs: AnyObject,
  Parameters: AnyObject,
  Conditions: AnyObject,
});
export type Template = z.infer<typeof TemplateSchema>;

/** What stands at a path, `Resources.FilesTable.Properties.KeySchema.0`; undefined where it leads nowhere. */
export const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => {
    if (Array.isArray(inner)) return inner[Number(name)];
    return AnyObject.safeParse(inner).data?.[name];
  }, value);

/** The list at a path; empty where there is none. */
export const listAt = (value: unknown, path: string): unknown[] => {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
};

/** The text at a path; empty where there is none. */
export const textAt = (value: unknown, path: string): string => {
  const found = at(value, path);
  return typeof found === 'string' ? found : '';
};

/** The names of what an object holds, in order of the alphabet. */
export const namesAt = (value: unknown, path: string): string[] =>
  Object.keys(AnyObject.safeParse(at(value, path)).data ?? {}).sort();

/** The logical ids of all resources of a type, in order of the alphabet. */
export const idsOf = (template: Template, type: string): string[] =>
  Object.entries(template.Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([id]) => id)
    .sort();

const replace = (within: unknown, [name, ...rest]: string[], value: unknown): unknown => {
  if (name === undefined) return value;
  const inner = replace(at(within, name), rest, value);
  if (Array.isArray(within)) return Object.assign([...within], { [Number(name)]: inner });
  const { [name]: _, ...others } = AnyObject.safeParse(within).data ?? {};
  return inner === undefined ? others : { ...others, [name]: inner };
};

/** A copy with another value at the path, or without it where the value is undefined. */
export const withValue = (template: Template, path: string, value: unknown): Template =>
  TemplateSchema.parse(replace(template, path.split('.'), value));
