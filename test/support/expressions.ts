import { unknown } from './unknown.ts';

/*
 * The part of DynamoDB's expressions that the operation uses. Each rule is a function of its name:
 *
 *     condition  = every { OR every }
 *     every      = negation { AND negation }
 *     negation   = [ NOT ] ( "(" condition ")" | comparison )
 *     comparison = predicate "(" operands ")" | operand "<" operand | operand IN "(" operands ")"
 *     update     = SET assignment { "," assignment } [ REMOVE operands ]
 *     assignment = operand "=" ( operand | if_not_exists "(" operand "," operand ")" )
 *     operand    = #name | :value | name
 */

/** Gives the value of an operand. */
type ValueOf = (operand: string) => unknown;
type Condition = (of: ValueOf) => boolean;
type Assignment = readonly [target: string, value: (of: ValueOf) => unknown];

const predicates = new Map<string, (...values: readonly unknown[]) => boolean>([
  ['attribute_exists', (value) => value !== undefined],
  ['attribute_not_exists', (value) => value === undefined],
  ['begins_with', (text, start) => typeof text === 'string' && text.startsWith(`${start}`)],
]);
const isLess = (a: unknown, b: unknown) => typeof a === 'number' && typeof b === 'number' && a < b;

/** Reads an expression from its start. Names the first word that no rule allows where it stands. */
const createReader = (expression: string) => {
  const words = expression.match(/[#:]?\w+|[(),]|[^#:\w\s(),]+/g) ?? [];
  const fail = () => unknown(`"${words[0] ?? 'its end'}" in "${expression}"`, 'test/support/expressions.ts');
  const take = (word: string): boolean => words[0] === word && words.shift() !== undefined;
  const expectWord = (word: string): void => void (take(word) || fail());
  const operand = (): string => {
    const isOperand = /^[#:]?\w+$/.test(words[0] ?? '') && words[1] !== '(';
    return (isOperand && words.shift()) || fail();
  };
  const list = <One>(one: () => One): readonly One[] => {
    const all = [one()];
    while (take(',')) all.push(one());
    return all;
  };
  const inBrackets = <Inner>(inner: () => Inner): Inner => {
    expectWord('(');
    const read = inner();
    expectWord(')');
    return read;
  };
  const expectEnd = () => void (words.length === 0 || fail());
  return { words, take, expectWord, operand, list, inBrackets, expectEnd };
};

/** A condition as a function. It is read once for many items. */
export const parseCondition = (expression: string): Condition => {
  const { words, take, expectWord, operand, list, inBrackets, expectEnd } = createReader(expression);
  const operands = () => inBrackets(() => list(operand));

  const comparison = (): Condition => {
    const predicate = predicates.get(words[0] ?? '');
    if (predicate) {
      words.shift();
      const values = operands();
      return (of) => predicate(...values.map(of));
    }
    const left = operand();
    if (take('<')) {
      const right = operand();
      return (of) => isLess(of(left), of(right));
    }
    expectWord('IN');
    const values = operands();
    return (of) => values.some((value) => of(value) === of(left));
  };
  const negation = (): Condition => {
    const isNegated = take('NOT');
    const inner = words[0] === '(' ? inBrackets(condition) : comparison();
    return isNegated ? (of) => !inner(of) : inner;
  };
  const every = (): Condition => {
    const parts = [negation()];
    while (take('AND')) parts.push(negation());
    return (of) => parts.every((part) => part(of));
  };
  const condition = (): Condition => {
    const parts = [every()];
    while (take('OR')) parts.push(every());
    return (of) => parts.some((part) => part(of));
  };

  const whole = condition();
  expectEnd();
  return whole;
};

/** What an update sets, and what it removes. A value is that of the item before the update. */
export const parseUpdate = (expression: string) => {
  const { take, expectWord, operand, list, inBrackets, expectEnd } = createReader(expression);

  const assignment = (): Assignment => {
    const target = operand();
    expectWord('=');
    if (!take('if_not_exists')) {
      const value = operand();
      return [target, (of) => of(value)];
    }
    const [value = '', other = ''] = inBrackets(() => list(operand));
    return [target, (of) => (of(value) === undefined ? of(other) : of(value))];
  };

  expectWord('SET');
  const set = list(assignment);
  const remove = take('REMOVE') ? list(operand) : [];
  expectEnd();
  return { set, remove };
};
