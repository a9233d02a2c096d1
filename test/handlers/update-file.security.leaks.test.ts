import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { aFile } from '#test/support/given.ts';
import { anError, aResponse, startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';
import { refuseTapped } from './support/refuse.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('security-leaks');
});
beforeEach(() => putGiven(tables));

const refuse = (event: unknown) => refuseTapped(tables, event);

describe('nothing leaves that should not', () => {
  const secrets = ['editor-key', 'CANARY-summary', 'CANARY-internal'];
  const withSecrets = { ...aFile({ internal: 'CANARY-internal' }) };

  test('in an answer or in the log, whatever the outcome', async () => {
    await tables.putFile(withSecrets);
    const service = startService(tables);
    const bodies = [
      '{"summary":"CANARY-summary"}',
      '{"summary":"CANARY-summary"',
      '{"summary":["CANARY-summary"]}',
      '{"summary":"CANARY-summary","language":"CANARY-summary"}',
    ];
    const answers: string[] = [];
    for (const body of bodies) answers.push((await service.send(anEvent({ body }))).body);
    await tables.putFile({ ...withSecrets, language: 7 });
    answers.push((await service.send(anEvent({ body: bodies[0] }))).body);
    const [first, ...others] = answers;
    const seen = JSON.stringify([others, service.logged()]);
    expect(secrets.filter((secret) => seen.includes(secret))).toEqual([]);
    expect(first).toBe(aResponse(200, JSON.parse(first ?? '')).body);
    expect(first).not.toContain('CANARY-internal');
  });

  test('into the prototype of anything', async () => {
    const body = '{"__proto__":{"polluted":1},"constructor":1,"toString":2,"summary":"a"}';
    const { response } = await refuse(anEvent({ body }));
    const unknown = (name: string) => `Unknown field "${name}"; editable fields are summary, documentKind`;
    const messages = ['__proto__', 'constructor', 'toString'].map(unknown);
    expect(response).toEqual(anError(400, messages.join('; ')));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
