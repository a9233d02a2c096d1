import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aCall } from '#test/support/call.ts';
import { aFile, FILE_ID } from '#test/support/given.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { type Writer, writerOf } from './support/writer.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('fence-together');
});
beforeEach(() => tables.putFile(aFile()));

const aWriter = (writer?: Writer) => writerOf(tables, writer);
const stored = () => tables.getFile('handbook', FILE_ID);

describe('writers at the same time', () => {
  test('two of them on two fields lose nothing', async () => {
    await Promise.all([
      aWriter()({ summary: 'By one.' }, aCall('one')),
      aWriter()({ documentKind: 'by another' }, aCall('another')),
    ]);
    expect(await stored()).toMatchObject({ summary: 'By one.', documentKind: 'by another' });
  });

  test('60 of them on one file are all acknowledged, each at a version of its own, and the last one stands', async () => {
    const write = aWriter({ now: Date.now });
    const writers = Array.from({ length: 60 }, (_, n) =>
      write({ summary: `By ${n}.` }, aCall(`request-${n}`)),
    );
    const answers = await Promise.all(writers);
    expect(answers.map(({ file }) => file.summary)).toEqual(Array.from({ length: 60 }, (_, n) => `By ${n}.`));
    expect(new Set(answers.map(({ version }) => version)).size).toBe(60);
    const last = answers.reduce((newest, answer) => (answer.version > newest.version ? answer : newest));
    expect(await stored()).toMatchObject({ summary: last.file.summary, version: last.version });
  });

  test('12 of them with clocks of their own lose nothing either', async () => {
    const writers = Array.from({ length: 12 }, (_, n) =>
      aWriter()({ summary: `By ${n}.` }, aCall(`request-${n}`)),
    );
    const answers = await Promise.all(writers);
    const last = answers.reduce((newest, answer) => (answer.version > newest.version ? answer : newest));
    expect(new Set(answers.map(({ version }) => version)).size).toBe(12);
    expect(await stored()).toMatchObject({ summary: last.file.summary, version: last.version });
  });
});
