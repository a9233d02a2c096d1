import * as z from 'zod';

const ParameterSchema = z.looseObject({
  in: z.enum(['path', 'header']),
  name: z.string(),
  schema: z.looseObject({}),
});
type Parameter = z.infer<typeof ParameterSchema>;

/** Values by the name of their parameter. */
export type ParameterValues = Readonly<Record<string, string | undefined>>;

const here = [{ url: '/', description: 'this service' }];

/**
 * The API description as JSON for the service that serves it: its own origin, and its own data as the values of the
 * parameters. A parameter without a value there has none at all: what is shown would be sent.
 */
export const fillIn = (description: object, values: ParameterValues): string =>
  JSON.stringify({ ...description, servers: here }, (_, value: unknown) => {
    const parameter = ParameterSchema.safeParse(value);
    return parameter.success ? withValue(parameter.data, values[parameter.data.name]) : value;
  });

const withValue = ({ example, examples, ...parameter }: Parameter, value: string | undefined) => {
  const { default: _, example: __, examples: ___, ...schema } = parameter.schema;
  return { ...parameter, schema, ...(value !== undefined && { example: value }) };
};
