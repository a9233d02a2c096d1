import { expect, test } from 'vitest';
import { readBaseUrl } from './base-url.ts';
import { allGroups } from './cases/all.ts';
import { readOptions } from './options.ts';
import { lawNames } from './runner/law-book.ts';

test('every option is read', () => {
  expect(
    readOptions(['--url', 'http://x', '--world', '/w.json', '--junit', '/j.xml', '--only', 'key', '--list']),
  ).toStrictEqual({
    url: 'http://x',
    world: '/w.json',
    junit: '/j.xml',
    only: 'key',
    list: true,
    help: false,
  });
});

test.each([
  [['--port', '1'], "Unknown option '--port'. Run `npm run conformance -- --help` to list the options."],
  [['--world', ''], '--world must name a file.'],
  [['--junit='], '--junit must name a file.'],
])('%s is complained of', (args, complaint) => {
  expect(() => readOptions(args)).toThrow(complaint);
});

test.each([
  [
    undefined,
    '--url must say where the service is. Run `npm run conformance -- --help` to list the options.',
  ],
  ['localhost:3000', '--url must begin with http:// or https://.'],
  ['nonsense', '--url must begin with http:// or https://.'],
  ['https://ada:secret@example.org', '--url must hold no user, query or fragment.'],
  ['https://example.org/?a', '--url must hold no user, query or fragment.'],
])('the URL %s is complained of', (url, complaint) => {
  expect(() => readBaseUrl(url)).toThrow(complaint);
});

test('no two cases have the same name', () => {
  const names = [...allGroups.flatMap(({ cases }) => cases.map(({ name }) => name)), ...lawNames];
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toStrictEqual([]);
});
