/**
 * A program that writes into the database of a folder and says in `said` what was acknowledged and what was shown, line
 * by line: `FOLDER ROUNDS DISK`. What it says of a row: `+key` it was stored, `-key` it was deleted, `=n` a row that is
 * written again and again has this number, `?n` this number was read. Some rows have pictures or a recording.
 */
import { openSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Uid, userStream } from '@tunemate/protocol';
import { migrate, openDatabase } from '../../../server/src/storage/database.ts';
import { StreamRecord } from '../../../server/src/storage/record.ts';
import { uploadFiles } from '../../../server/src/chats/uploads/upload-files.ts';
import { systemClock } from '../../../server/src/system/machine.ts';
import { uploadsFolder, uploadsOf } from './recorded-uploads.ts';

const [folder = '', rounds = '', mode = ''] = process.argv.slice(2);
const said = openSync(join(folder, 'said'), 'a');
const say = (line: string) => void writeSync(said, `${line}\n`);
const database = openDatabase(`sqlite:${join(folder, 'tunemate.sqlite')}`, {
  mostPagesInLog: 40,
  neverSyncs: mode === 'never-synced',
});
await migrate(database);
say('ready');
const record = new StreamRecord(database, systemClock());
const { db } = database;
const files = uploadFiles(join(folder, uploadsFolder));
const padding = 'x'.repeat(300);
let last = 0;
let isOver = false;

/** Of the row `n` of a writer. */
async function saveUploads(writer: number, n: number): Promise<void> {
  const uploads = uploadsOf(writer, n);
  if (uploads) await files.save(uploads.id, uploads.contents);
}

/** A write that fails is not repeated, and nothing is said of it. */
async function succeeds(write: () => Promise<unknown>): Promise<boolean> {
  const isDone = await write().then(
    () => true,
    () => false,
  );
  if (!isDone) await nextTurn();
  return isDone;
}

/** Lets syncs fail for a moment, again and again, and that of the first upload, whose folder is new. */
async function failNowAndThen(): Promise<() => void> {
  const control = openSync(process.env['DISK_CONTROL'] ?? '', 'r+');
  const bytes = Buffer.alloc(4);
  let turn = 0;
  const set = (errno: number) => {
    bytes.writeInt32LE(errno);
    writeSync(control, bytes, 0, bytes.length, 4);
  };
  set(constants.errno.EIO);
  if (await succeeds(() => saveUploads(0, 0))) throw new Error('an upload was stored on a disk that fails');
  set(0);
  const timer = setInterval(() => set((turn += 1) % 4 === 0 ? constants.errno.EIO : 0), 15);
  return () => {
    clearInterval(timer);
    set(0);
  };
}

/** Stores rows one after the other, each in a write of the record, and deletes every third again. */
async function store(writer: number): Promise<void> {
  const stream = userStream(String(writer).padStart(22, '0') as Uid);
  for (let n = 0; n < Number(rounds); n += 1) {
    const key = `${String(writer)}-${String(n)}`;
    // As the server does it: the row of what was uploaded is written once its files have their names.
    if (!(await succeeds(() => saveUploads(writer, n)))) continue;
    const isStored = await succeeds(() =>
      record.write([stream], async ({ db: inside, append }) => {
        await inside.insertInto('settings').values({ key, value: padding }).execute();
        await append(stream, { type: 'accounts/changed', name: key, readReceipts: true });
      }),
    );
    if (isStored) say(`+${key}`);
    if (n % 3 !== 2) continue;
    if (await succeeds(() => db.deleteFrom('settings').where('key', '=', key).execute())) say(`-${key}`);
  }
}

/** Counts, outside the record. */
async function count(): Promise<void> {
  const row = { key: 'count', value: '0' };
  const begin = () =>
    db
      .insertInto('settings')
      .values(row)
      .onConflict((known) => known.doNothing())
      .execute();
  while (!(await succeeds(begin)));
  while (!isOver) {
    const number = String((last += 1));
    const isCounted = await succeeds(() =>
      db.updateTable('settings').set({ value: number }).where('key', '=', 'count').execute(),
    );
    if (isCounted) say(`=${number}`);
    await nextTurn();
  }
}

/** Reads beside all writes. */
async function read(): Promise<void> {
  while (!isOver) {
    const row = await db.selectFrom('settings').select('value').where('key', '=', 'count').executeTakeFirst();
    if (row) say(`?${row.value}`);
    await nextTurn();
  }
}

const end = mode === 'failing' ? await failNowAndThen() : () => undefined;
const [counting, reading] = [count(), read()];
await Promise.all([1, 2, 3].map(store));
isOver = true;
end();
await Promise.all([counting, reading]);
await database.close();
