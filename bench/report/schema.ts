import * as z from 'zod';

const OriginSchema = z.strictObject({
  madeBy: z.string(),
  at: z.iso.datetime(),
  node: z.string(),
  cpu: z.string(),
  cores: z.number(),
  mode: z.enum(['whole', 'quick']),
});

/** bench/results/variants.json: what the ids of the measurements stand for. */
export const VariantsSchema = z.array(
  z.strictObject({
    id: z.string(),
    name: z.string(),
    kind: z.enum(['ours', 'anchor', 'peer', 'bound']),
    form: z.enum(['as written', 'equalised']),
  }),
);

export const MeasurementSchema = z.strictObject({
  ...OriginSchema.shape,
  id: z.string(),
  title: z.string(),
  unit: z.string(),
  how: z.string(),
  values: z.record(z.string(), z.array(z.number())),
});

export const GrowthSchema = z.strictObject({
  ...OriginSchema.shape,
  id: z.string(),
  title: z.string(),
  quantity: z.string(),
  points: z.array(
    z.strictObject({
      at: z.number(),
      wallP50: z.number(),
      wallP99: z.number(),
      cpu: z.number(),
      readUnits: z.number(),
      writeUnits: z.number(),
    }),
  ),
});
