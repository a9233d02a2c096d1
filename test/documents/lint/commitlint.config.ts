/** Verbs that look like other forms of a verb, or like a noun. */
const verbs =
  /^(bring|embed|exceed|feed|need|ping|proceed|seed|shed|speed|spring|string|succeed|swing|bus|focus)$/;

/** What is wrong with the subject of a commit. A noun that looks like a verb is not noticed. */
export const problemOf = (subject: string): string | undefined => {
  const [, first = ''] = /^[a-z][a-z-]*: (\S+)/.exec(subject) ?? [];
  if (first === '') return 'is not like "area: imperative sentence"';
  if (!/^[a-z-]+$/.test(first)) return `begins with "${first}", not with a verb in small letters`;
  if (/^(an?|the|this|that|one|two|no|some|all|each|every|more|new|now|also|only)$/.test(first))
    return `begins with "${first}", not with a verb`;
  if (/(ing|ed|[^s]s)$/.test(first) && !verbs.test(first))
    return `begins with "${first}": write an order, like "add" in place of "adds", "added" or "adding"`;
  return subject.endsWith('.') ? 'ends with a full stop' : undefined;
};

type Parsed = { readonly header: string | null };
export default {
  plugins: [
    {
      rules: {
        'area-and-verb': ({ header }: Parsed): [boolean, string | undefined] => {
          const problem = problemOf(header ?? '');
          return [problem === undefined, problem && `the subject ${problem}`];
        },
      },
    },
  ],
  rules: { 'header-max-length': [2, 'always', 72], 'area-and-verb': [2, 'always'] },
  // git writes these subjects.
  ignores: [(message: string) => message.startsWith('Merge ')],
};
