import type { Described, Results } from '../../bench/report/results.ts';
import type { Growth, Measurement, Origin } from '../../bench/types.ts';

const origin: Origin = {
  madeBy: 'npm run bench',
  at: '2026-11-21T10:00:00.000Z',
  node: 'v24.21.0',
  cpu: 'Some CPU',
  cores: 2,
  mode: 'whole',
};

export const aMeasurement = (
  id: string,
  values: Measurement['values'],
  extra: Partial<Measurement> = {},
): Measurement => ({ ...origin, id, title: `Title of ${id}`, unit: 'ms', how: 'By hand.', values, ...extra });

export const aGrowth = (id: string, points: Growth['points'], extra: Partial<Growth> = {}): Growth => ({
  ...origin,
  id,
  title: `Title of ${id}`,
  quantity: 'things',
  points,
  ...extra,
});

export const aPoint = (at: number, extra: Partial<Growth['points'][number]> = {}) => ({
  at,
  wallP50: 10,
  wallP99: 20,
  cpu: 2000,
  readUnits: 2,
  writeUnits: 1,
  ...extra,
});

const variants: readonly Described[] = [
  { id: 'space-files', name: 'space-files', kind: 'ours', form: 'equalised' },
  { id: 'plain', name: 'plain handler', kind: 'anchor', form: 'as written' },
  { id: 'hono', name: 'Hono', kind: 'peer', form: 'as written' },
  { id: 'hono-equalised', name: 'Hono, equalised', kind: 'peer', form: 'equalised' },
  { id: 'floor', name: 'floor: no SDK', kind: 'bound', form: 'as written' },
];

/** Results of the measurements and growths that are given, none by default. */
export const someResults = (given: Partial<Results> = {}): Results => ({
  variants,
  measurements: [],
  growths: [],
  ...given,
});

/** Two measurements of five variants, and one growth: small, and with everything that a whole run has. */
export const aSmallRun = (): Results =>
  someResults({
    measurements: [
      aMeasurement(
        'size',
        {
          'space-files': [204_800],
          plain: [409_600],
          hono: [819_200],
          'hono-equalised': [307_200],
          floor: [5_120],
        },
        { title: 'Bundle size', unit: 'bytes' },
      ),
      aMeasurement(
        'cold',
        {
          'space-files': [70, 60, 64],
          plain: [100, 100, 80],
          hono: [150, 140, 128],
          'hono-equalised': [71, 59, 88],
          floor: [20, 20, 20],
        },
        { title: 'Cold start' },
      ),
    ],
    growths: [
      aGrowth('growth-files', [aPoint(100), aPoint(1_000_000, { wallP50: 10.3 })], {
        title: 'Files in the space',
        quantity: 'files in the space',
      }),
    ],
  });
