import * as z from 'zod/mini';
import { propertyOf } from './parse-data.ts';

/**
 * What a patch may set a field to: makes its schema. The messages go on after the name of the field. `orNull` ends the one
 * about the type.
 */
type Kind<Value> = (orNull: string) => z.ZodMiniType<Value>;

/**
 * Text of at most so many characters; a character is a Unicode code point. `params` is the limit in JSON Schema.
 * `z.maxLength` would count UTF-16 code units.
 */
export const text =
  (maxLength: number): Kind<string> =>
  (orNull) =>
    z.string({ error: `must be a string${orNull}` }).check(
      z.refine((value) => [...value].length <= maxLength, {
        error: `must be at most ${maxLength} characters`,
        params: { maxLength },
      }),
      z.refine((value) => value.isWellFormed(), { error: 'contains invalid Unicode' }),
    );

/** A field that a patch cannot set. */
export const readOnly = <View extends z.ZodMiniType>(view: View) => ({ view });

/** A field that a patch can set, to what the view can show. A field that decides the shape of a file cannot be one. */
export const editable = <View extends z.ZodMiniType>(view: View, kind: Kind<z.output<View>>) => ({
  view,
  edit: z.exactOptional(kind('')),
});

/** A field that a patch can set, or remove by null. The view of a record without it is null. */
export const clearable = <View extends z.ZodMiniType>(view: View, kind: Kind<z.output<View>>) => ({
  view: z._default(z.nullable(view), null),
  edit: z.exactOptional(z.nullable(kind(' or null'))),
});

/** The same part of each definition that has it, by the name of the field. */
export const partsOf = <Fields extends Readonly<Record<string, object>>, Part extends string>(
  fields: Fields,
  part: Part,
) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      part in field ? [[name, propertyOf(field, part)]] : [],
    ),
  ) as {
    -readonly [Name in keyof Fields as Fields[Name] extends Record<Part, unknown>
      ? Name
      : never]: Fields[Name] extends Record<Part, infer Value> ? Value : never;
  };
