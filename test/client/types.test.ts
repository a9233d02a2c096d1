import { expect, expectTypeOf, test } from 'vitest';
import type { FilePatch, FileView, UpdateError, UpdateResult } from '#lib/client/client.ts';
import type { FileView as DomainFileView } from '#lib/domain/file.ts';
import type { FilePatch as DomainFilePatch } from '#lib/domain/file-patch.ts';

// The client has types of its own, so that its folder can be copied; tsc holds them to those of the service.

test('a view is what the service says it is', () => {
  expectTypeOf<FileView>().toEqualTypeOf<DomainFileView>();
});

test('a patch is one that the service takes, with at least one field', () => {
  type AtLeastOne = {
    [Field in keyof DomainFilePatch]-?: Required<Pick<DomainFilePatch, Field>> & Omit<DomainFilePatch, Field>;
  }[keyof DomainFilePatch];
  expectTypeOf<FilePatch>().toExtend<DomainFilePatch>();
  expectTypeOf<FilePatch>().toExtend<AtLeastOne>();
  expectTypeOf<AtLeastOne>().toExtend<FilePatch>();
  const patches: FilePatch[] = [
    { summary: 'New.' },
    { documentKind: null },
    { summary: null, documentKind: '' },
    // @ts-expect-error nothing to change
    {},
    // @ts-expect-error undefined is neither null nor absent
    { summary: undefined },
    // @ts-expect-error nor is it beside another field
    { summary: 'New.', documentKind: undefined },
    // @ts-expect-error not a field that a client may change
    { summary: 'New.', language: 'en' },
    // @ts-expect-error not a text
    { summary: 1 },
  ];
  expect(patches).toHaveLength(8);
});

test('the code tells what else an error has', () => {
  const tell = (result: UpdateResult) => {
    if (result.ok) return expectTypeOf(result.etag).toEqualTypeOf<string>();
    const { error } = result;
    if (error.code === 'file-changed') return expectTypeOf(error.etag).toEqualTypeOf<string>();
    if (error.code === 'unavailable') return expectTypeOf(error.retryAfterMs).toEqualTypeOf<number>();
    // @ts-expect-error not every error has an etag
    return error.etag;
  };
  expect(tell).toBeTypeOf('function');
  expectTypeOf<UpdateError['code']>().toEqualTypeOf<
    | 'invalid-request'
    | 'invalid-api-key'
    | 'permission-denied'
    | 'space-not-found'
    | 'file-not-found'
    | 'file-changed'
    | 'outcome-unknown'
    | 'too-large'
    | 'unsupported-media-type'
    | 'throttled'
    | 'unavailable'
    | 'internal-error'
    | 'unexpected-answer'
    | 'network'
    | 'aborted'
    | 'not-sent'
  >();
});
