import { Complaint } from '#local/complaint.ts';
import { parseOptions } from '#local/parse-options.ts';
import { defaultLevers, type Lever } from './levers.ts';

export const buildUsage = `Usage: npm run build -- [options]

Writes what is deployed into dist/ and says how large it is.

  --without NAME  leave out what makes the bundle smaller or faster; may be repeated
                  (${defaultLevers.join(', ')})
  --code-cache    store V8's compiled code beside the bundle: run it with the Node that will run the function
  --help          show this text

What each does, gains and risks: docs/decisions.
`;

/** Which levers a build uses. Throws a Complaint for a name that is none. */
export const chooseLevers = (without: readonly string[], codeCache: boolean): readonly Lever[] => {
  const unknown = without.find((name) => !defaultLevers.some((lever) => lever === name));
  if (unknown !== undefined)
    throw new Complaint(`There is no "${unknown}" to leave out; there is: ${defaultLevers.join(', ')}.`);
  const kept = defaultLevers.filter((name) => !without.includes(name));
  return codeCache ? [...kept, 'code-cache'] : kept;
};

const options = {
  without: { type: 'string', multiple: true },
  'code-cache': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Reads the command line of `npm run build`. Throws a Complaint for what it does not know. */
export const readBuildOptions = (args: string[]): { help: boolean; levers: readonly Lever[] } => {
  const { help, without = [], ...given } = parseOptions(args, 'npm run build', options);
  return { help, levers: chooseLevers(without, given['code-cache']) };
};
