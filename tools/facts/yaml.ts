import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  type Node,
  parseDocument,
  stringify,
  type YAMLMap,
} from 'yaml';
import { reasonOf, UsageError } from '#tools/cli.ts';
import { correctPhrase, type Edit, type Findings, noFindings, type Phrase } from './edits.ts';

/**
 * What the code knows about a YAML document, in the form of the document: an object is a mapping, and any other value is a
 * fact. A mapping may have more keys, which are of people. What is absent is added, in the order of the object.
 */
export type Facts = { readonly [key: string]: unknown };

/** A text of people that a reader expects, and its phrases. If it is absent, `start` is added, if there is one. */
export const sentence = (phrases: readonly Phrase[] = [], start?: string) =>
  ({ [kind]: 'sentence', phrases, start }) as const;
/** A fact that is corrected if it is there, and not added. */
export const ifThere = (value: unknown) => ({ [kind]: 'ifThere', value }) as const;
/** A mapping that has no other keys, except those that people may add. */
export const only = (facts: Facts, ofPeople?: RegExp) => ({ [kind]: 'only', facts, ofPeople }) as const;

const kind = Symbol('kind of a fact');
type Special = ReturnType<typeof sentence> | ReturnType<typeof ifThere> | ReturnType<typeof only>;
const isObject = (fact: unknown): fact is object =>
  typeof fact === 'object' && fact !== null && !Array.isArray(fact);
const isSpecial = (fact: unknown): fact is Special => isObject(fact) && kind in fact;

const nameOf = (path: readonly string[]) =>
  path.map((key) => (/^[\w-]+$/.test(key) ? key : `'${key}'`)).join('.');

const options = { lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false } as const;
const toFlow = (value: unknown) => stringify(value, { ...options, collectionStyle: 'flow' }).trimEnd();
/** The lines after the first one begin at this column. */
const toBlock = (value: unknown, column = 0) =>
  stringify(value, options)
    .trimEnd()
    .replaceAll('\n', `\n${' '.repeat(column)}`);

const startOf = (node: Node): number => node.range?.[0] ?? 0;
/** The end of a node, without white space after it. */
const endOf = (text: string, node: Node): number => text.slice(0, node.range?.[1]).trimEnd().length;
const columnOf = (text: string, position: number) => position - text.lastIndexOf('\n', position - 1) - 1;

/** Replaces a value. In a flow, as in `[a, b]`, all is on one line. */
const replace = (text: string, node: Node, value: unknown, isInFlow: boolean): Edit => {
  const [start, end] = [startOf(node), endOf(text, node)];
  const isBlock = isCollection(node) && !node.flow;
  if (isInFlow || (!isBlock && typeof value === 'object')) return { start, end, text: toFlow(value) };
  if (!isBlock) return { start, end, text: toBlock(value) };
  if (typeof value === 'object') return { start, end, text: toBlock(value, columnOf(text, start)) };
  // A block begins on a line of its own. The scalar in its place goes behind the key.
  return { start: text.slice(0, start).trimEnd().length, end, text: ` ${toBlock(value)}` };
};

/** Adds a pair to a mapping, after the node `before`, or as the first one. */
const add = (text: string, map: YAMLMap, before: Node | undefined, pair: object): Edit => {
  const beginning = startOf(map);
  if (map.flow) {
    const added = toFlow(pair).replaceAll(/^\{ | \}$/g, '');
    const start = before ? endOf(text, before) : beginning + 1;
    if (before) return { start, end: start, text: `, ${added}` };
    return { start, end: start, text: map.items.length > 0 ? ` ${added},` : ` ${added} ` };
  }
  const column = columnOf(text, beginning);
  const added = toBlock(pair, column);
  const indent = ' '.repeat(column);
  if (!before) return { start: beginning, end: beginning, text: `${added}\n${indent}` };
  // A comment on the last line of the pair before stays there.
  const [rest = ''] = text.slice(endOf(text, before)).split('\n', 1);
  const start = endOf(text, before) + rest.length;
  return { start, end: start, text: `\n${indent}${added}` };
};

/** What is added for a fact that is absent; undefined if nothing is. */
const toAdd = (fact: unknown): unknown => {
  if (isSpecial(fact)) {
    if (fact[kind] === 'sentence') return fact.start;
    return fact[kind] === 'only' ? toAdd(fact.facts) : undefined;
  }
  if (!isObject(fact)) return fact;
  const pairs = Object.entries(fact).map(([key, value]) => [key, toAdd(value)]);
  const added = pairs.filter(([, value]) => value !== undefined);
  return added.length > 0 ? Object.fromEntries(added) : undefined;
};

/**
 * Reads a YAML document: its nodes, and its data.
 *
 * @param name of the file, for people
 * @throws {UsageError} if the text is not YAML
 */
export const readYaml = (name: string, text: string): { document: Document; data: unknown } => {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem) throw new UsageError(`${name}: ${problem.message}`);
  try {
    return { document, data: document.toJS() };
  } catch (error) {
    // An alias without its anchor.
    throw new UsageError(`${name}: ${reasonOf(error)}`);
  }
};

/** Compares a YAML document with the facts of the code. Arguments and errors are those of `readYaml`. */
export const findInYaml = (name: string, text: string, facts: Facts): Findings => {
  const { document } = readYaml(name, text);
  const findings = noFindings();

  const visitText = (node: unknown, { phrases, start }: ReturnType<typeof sentence>, where: string) => {
    const words = isScalar(node) ? `${node.value}`.trim() : '';
    if (!isScalar(node) || words === '' || words === start) findings.wordless.push(where);
    else {
      const source = text.slice(startOf(node), endOf(text, node));
      for (const phrase of phrases) correctPhrase(findings, where, source, startOf(node), phrase);
    }
  };

  const visitMapping = (map: unknown, inner: Facts, path: readonly string[], isInFlow: boolean) => {
    const pairs = isMap(map) ? map.items : [];
    if (map !== undefined && !isMap(map)) findings.wrong.push(`${name}: ${nameOf(path)} must be a mapping`);
    let before: Node | undefined;
    for (const [key, fact] of Object.entries(inner)) {
      const pair = pairs.find((one) => isScalar(one.key) && `${one.key.value}` === key);
      const added = toAdd(fact);
      if (isMap(map) && !pair && added !== undefined) {
        findings.stale.push(`${name}: ${nameOf([...path, key])} is absent`);
        findings.edits.push(add(text, map, before, { [key]: added }));
      }
      visit(pair?.value ?? undefined, fact, [...path, key], isInFlow || (isMap(map) && map.flow === true));
      if (isNode(pair?.value)) before = pair.value;
    }
  };

  const visit = (node: unknown, fact: unknown, path: readonly string[], isInFlow: boolean): void => {
    const where = `${name}: ${nameOf(path)}`;
    if (isSpecial(fact)) {
      if (fact[kind] === 'sentence') visitText(node, fact, where);
      else if (fact[kind] === 'ifThere') node !== undefined && visit(node, fact.value, path, isInFlow);
      else {
        visitMapping(node, fact.facts, path, isInFlow);
        const keys = isMap(node) ? node.items.map(({ key }) => (isScalar(key) ? `${key.value}` : '')) : [];
        for (const key of keys)
          if (!(key in fact.facts) && !fact.ofPeople?.test(key))
            findings.wrong.push(
              `${name}: ${nameOf([...path, key])} has no counterpart in the code. Remove it`,
            );
      }
    } else if (isObject(fact)) visitMapping(node, { ...fact }, path, isInFlow);
    else if (isNode(node) && !isDeepStrictEqual(node.toJS(document), fact)) {
      if (isCollection(node) && /(?:^|\s)#/m.test(text.slice(startOf(node), endOf(text, node))))
        findings.wrong.push(`${where} has a comment. Change it to ${toFlow(fact)} by hand`);
      else {
        findings.stale.push(`${where} is ${toFlow(fact)} in the code`);
        findings.edits.push(replace(text, node, fact, isInFlow));
      }
    }
  };
  visit(document.contents ?? undefined, facts, [], false);
  return findings;
};
