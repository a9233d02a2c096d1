import type { Rule } from '../support/rule.ts';
import { at, idsOf, listAt } from '../support/template.ts';

const GLOBAL = 'AWS::DynamoDB::GlobalTable';
const table = 'Resources.FilesTable';

/**
 * Replicas in other Regions. By default (MREC) the last writer's whole item wins there, and a field that another
 * writer was told is stored goes lost: that needs a parameter that says so. With strong consistency it does not.
 */
export const regionRules: readonly Rule[] = [
  {
    name: 'no replica takes part in last writer wins unless AcceptLastWriterWins says so',
    check: (template) => {
      if (at(template, 'Parameters.AcceptLastWriterWins.Default') === 'true') return [];
      const isStrong = (id: string) =>
        at(template, `Resources.${id}.Properties.MultiRegionConsistency`) === 'STRONG';
      return [
        ...idsOf(template, GLOBAL).filter((id) => !isStrong(id)),
        ...idsOf(template, 'AWS::DynamoDB::Table').filter(
          (id) => listAt(template, `Resources.${id}.Properties.Replicas`).length > 0,
        ),
      ];
    },
    broken: [
      [`${table}.Type`, GLOBAL],
      [table, { Type: GLOBAL, Properties: { MultiRegionConsistency: 'EVENTUAL' } }],
      [`${table}.Properties.Replicas`, [{ Region: 'eu-west-1' }]],
    ],
  },
];
