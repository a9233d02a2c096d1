import { formatRecentWrite, RECENT_WRITE_ATTRIBUTES } from '#lib/store/recent-writes.ts';
import { aBasicFile, apiKeyRecord, aSpace, FILE_ID, NOW } from '#test/support/fixtures.ts';
import { type Item, simulateTables, type TableName } from '#test/support/simulated-tables.ts';
import {
  type AccessChange,
  type FileState,
  FileStateSchema,
  type Option,
  type OutsideEvent,
  type Scenario,
  type Snapshot,
} from './model.ts';

/* The tables, every state that they have had, and what other services do to them. */

export const initialFile: FileState = {
  summary: 'first',
  documentKind: 'first',
  version: (NOW - 1000) * 1000,
};
/** So many writes, the latest of which left this version. */
const writesBefore = (version: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    formatRecentWrite({ id: `other-${index}`, payloadHash: '' }, version - index),
  );
const toAttributes = (writes: readonly unknown[]) =>
  Object.fromEntries(RECENT_WRITE_ATTRIBUTES.map((attribute, index) => [attribute, writes[index]]));
const history = toAttributes(writesBefore(initialFile.version, RECENT_WRITE_ATTRIBUTES.length));
const fileKey = { spaceId: 'handbook', fileId: FILE_ID };

/** The event that must come before another. */
const eventBefore: { readonly [event in OutsideEvent]?: OutsideEvent } = {
  'make space public': 'make space private',
  'make user the owner': 'make space private',
  'create file': 'delete file',
  'create file without version': 'delete file',
  'create file by a late copy of its first creation': 'delete file',
  'create file with writes of a copy': 'delete file',
};

/** The moment of a run: milliseconds since the epoch, and how many steps came before. */
export type Moment = { readonly time: number; readonly step: number };

/** The records that a scenario begins with. */
export const openRecords = (
  { history: hasHistory, events = [], maxCharacters = Number.POSITIVE_INFINITY }: Scenario,
  moment: Moment,
) => {
  const tables = simulateTables(
    ({ summary, documentKind }) =>
      String(summary ?? '').length + String(documentKind ?? '').length > maxCharacters,
  );
  tables.put('apiKeys', apiKeyRecord());
  tables.put('spaces', aSpace());
  tables.put('files', aBasicFile({ ...initialFile, ...(hasHistory && history) }));
  const snapshots: Snapshot[] = [
    { step: 0, file: initialFile, writes: hasHistory ? RECENT_WRITE_ATTRIBUTES.length : 0 },
  ];
  const access: AccessChange[] = [{ step: 0, keyAllows: true, spaceAllows: true }];
  const takeSnapshot = (change: Omit<Snapshot, 'step' | 'file'>): void => {
    const item = tables.get('files', fileKey);
    snapshots.push({ step: moment.step, file: item && FileStateSchema.parse(item), ...change });
  };

  const changeAccess = (table: TableName, item: Item, change: Partial<AccessChange>) => {
    tables.put(table, item);
    access.push({ keyAllows: true, spaceAllows: true, ...access.at(-1), ...change, step: moment.step });
  };
  const changeSpace = (change: Item, spaceAllows: boolean) =>
    changeAccess('spaces', { ...aSpace(), ...change }, { spaceAllows });
  const deleteFile = () => {
    tables.remove('files', fileKey);
    takeSnapshot({ writes: 0 });
  };
  const createFile = (version: number, oldWrites: Item = {}) => {
    tables.put('files', aBasicFile({ summary: 'created', documentKind: 'created', version, ...oldWrites }));
    takeSnapshot({ writes: 0, hasOldWrites: 'w1' in oldWrites });
  };
  const currentVersion = () => Math.floor(moment.time) * 1000;
  const overwriteFile = (writes: number) => {
    const stored = tables.get('files', fileKey);
    // Other services change only a file that exists.
    if (!stored) return;
    const { version, ...item } = stored;
    const file = {
      summary: 'other',
      documentKind: 'other',
      version: Math.max(Number(version), currentVersion()) + writes,
    };
    const earlier = RECENT_WRITE_ATTRIBUTES.map((attribute) => item[attribute] ?? '');
    const remembered = toAttributes([...writesBefore(file.version, writes), ...earlier]);
    tables.put('files', { ...item, ...file, ...remembered });
    takeSnapshot({ writes });
  };
  const outside: Readonly<Record<OutsideEvent, () => void>> = {
    'revoke key': () => changeAccess('apiKeys', { ...apiKeyRecord(), revokedAt: 1 }, { keyAllows: false }),
    'make space private': () => changeSpace({ visibility: 'private' }, false),
    'make space public': () => changeSpace({}, true),
    'make user the owner': () => changeSpace({ visibility: 'private', ownerId: 'grace' }, true),
    'delete file': deleteFile,
    'create file': () => createFile(currentVersion()),
    'create file without version': () => createFile(0),
    'create file by a late copy of its first creation': () => createFile(initialFile.version),
    'create file with writes of a copy': () => createFile(currentVersion(), history),
    'one other write less': () => overwriteFile(RECENT_WRITE_ATTRIBUTES.length - 1),
    'other writes until it is forgotten': () => overwriteFile(RECENT_WRITE_ATTRIBUTES.length),
  };
  const happened = new Set<OutsideEvent>();
  const isPossible = (event: OutsideEvent) => {
    const before = eventBefore[event];
    return !happened.has(event) && (before === undefined || happened.has(before));
  };

  return {
    tables,
    snapshots,
    access,
    /** Notes the file as a write of a request has left it. */
    takeSnapshot,
    /** Each event that may happen now. */
    options: (): Option[] =>
      events.filter(isPossible).map((event) => ({
        label: event,
        run: () => {
          happened.add(event);
          outside[event]();
        },
      })),
  };
};
export type Records = ReturnType<typeof openRecords>;
