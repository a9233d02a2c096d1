import type { Item } from './backend.ts';

/** The words of an expression: names behind #, values behind :. */
export type Words = {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
};

const operandOf = (item: Item, { names, values }: Words, token = ''): unknown =>
  token.startsWith(':') ? values[token] : item[names[token] ?? token];

const isBelow = (left: unknown, right: unknown) =>
  typeof left === 'number' && typeof right === 'number' && left < right;

/** Whether a condition holds for an item; one that is not there has no attributes. */
export const conditionHolds = (expression: string, item: Item, words: Words): boolean => {
  const tokens = expression.match(/[#:\w]+|[<(),]/g) ?? [];
  let at = 0;
  const take = () => tokens[at++];
  const operand = () => operandOf(item, words, take());

  const list = (): readonly unknown[] => {
    const members: unknown[] = [];
    take();
    do members.push(operand());
    while (take() === ',');
    return members;
  };
  const term = (): boolean => {
    const token = take();
    if (token === '(') return inBrackets();
    if (token === 'attribute_exists') return list().every((value) => value !== undefined);
    if (token === 'attribute_not_exists') return list().every((value) => value === undefined);
    const left = operandOf(item, words, token);
    const operator = take();
    if (operator === '<') return isBelow(left, operand());
    if (operator === 'IN') return list().includes(left);
    throw new Error(`the stand-in does not know "${operator}" in: ${expression}`);
  };
  const joined = (word: string, part: () => boolean, join: (a: boolean, b: boolean) => boolean) => {
    let result = part();
    while (tokens[at] === word) {
      at += 1;
      result = join(part(), result);
    }
    return result;
  };
  const and = () => joined('AND', term, (a, b) => a && b);
  const or = () => joined('OR', and, (a, b) => a || b);
  const inBrackets = () => {
    const result = or();
    take();
    return result;
  };
  return or();
};

/** An item after `SET #a = :a, ... REMOVE #b, ...`. */
export const updated = (expression: string, item: Item, words: Words): Item => {
  const [set = '', remove = ''] = expression.split('REMOVE');
  const changed = [...set.matchAll(/(#\w+) = (:\w+)/g)].map(([, name = '', value]) => [
    words.names[name],
    operandOf(item, words, value),
  ]);
  const removed = [...remove.matchAll(/#\w+/g)].map(([name]) => words.names[name]);
  const kept = Object.entries(item).filter(([name]) => !removed.includes(name));
  return { ...Object.fromEntries(kept), ...Object.fromEntries(changed) };
};
