import { type Comparison, compare } from '../compare.ts';
import { times } from '../format.ts';
import { markdownTable, section } from '../markdown.ts';
import { inOrder } from '../order.ts';
import { type Results, SDK_ONLY } from '../results.ts';

const figure = ({ figure: { name }, ratio, clear }: Comparison): string =>
  `${name} ${times(ratio.median)}${clear ? '' : ' (within the spread)'}`;

/** Where another variant is ahead of ours, by name and figure. */
export const aheadSection = (results: Results): string => {
  const rows = inOrder(results)
    .filter(({ id, kind }) => kind !== 'ours' && id !== SDK_ONLY)
    .flatMap(({ id, name }) => {
      const behind = compare(results, id).filter(({ place }) => place === 'behind');
      return behind.length === 0 ? [] : [[name, behind.map(figure).join(', ')]];
    });
  return section('What stays ahead of us', [
    rows.length === 0
      ? 'Nothing that was measured.'
      : markdownTable(['variant', 'how many times its figure ours is'], rows),
    'The floor is no way to work: it is there to show how much is left. A client other than the AWS SDK starts ' +
      'faster and is smaller; we keep the SDK because its signing, its endpoints and its knowledge of what may be ' +
      'sent again are kept up by AWS itself, and because every fault of [assurance.md](assurance.md) has been put to ' +
      'it and to no other client.',
  ]);
};
