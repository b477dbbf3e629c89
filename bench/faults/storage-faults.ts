/** Faults of the disk and the database's files: full, read-only, damaged; and a backup while people write. */
import { copyFile, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client } from 'pg';
import { openDatabase } from '../../server/src/storage/database.ts';
import { operate } from '@tunemate/testkit/services/operate';
import { createDatabase } from '@tunemate/testkit/services/postgres';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { isSoon } from './scenario.ts';
import { type Fault, type FaultScene, wrongUnless } from './fault.ts';

const pageBytes = 4096;

const failuresOf = ({ scenario }: FaultScene): string[] =>
  scenario.participants.flatMap(({ page, room }) => [
    ...page.outbox.waiting.get().flatMap(({ failure }) => (failure ? [failure.code] : [])),
    ...room.failures(),
  ]);

/** People read that nothing can be saved, go on reading, and send it all once there is room again. */
async function diskFull(scene: FaultScene): Promise<string[]> {
  const { setUp, scenario, isLong } = scene;
  const { disk } = setUp;
  if (disk === null) return ['there is no small disk'];
  await disk.fill();
  const isDelivered = await isSoon(() => failuresOf(scene).includes('server/storage-full'));
  const listed = await scenario.host.page.connection.request('chats/list', {});
  await pause(isLong ? 5000 : 300);
  const others = failuresOf(scene).filter((code) => code !== 'server/storage-full');
  await disk.free();
  return [
    ...wrongUnless(isDelivered, 'no page says that nothing can be saved'),
    ...wrongUnless(listed.ok, 'chats could not be read while the disk was full'),
    ...wrongUnless(others.length === 0, `messages failed with ${others.join()}`),
  ];
}

/** A start on a read-only disk, or on a damaged file, must fail and change nothing; then all is as before. */
async function badFileAtBoot({ setUp }: FaultScene): Promise<string[]> {
  const { disk } = setUp;
  const [server] = setUp.servers;
  if (disk === null || !server) return ['there is no small disk'];
  const file = join(setUp.dataDir, 'tunemate.sqlite');
  await server.kill();
  const database = openDatabase(setUp.databaseUrl);
  await sql`pragma wal_checkpoint(truncate)`.execute(database.db);
  await database.close();
  disk.setReadOnly(true);
  const onReadOnly = await failedStart(() => server.restart());
  disk.setReadOnly(false);

  await using other = await makeTempDir('good-file');
  const good = join(other.path, 'good');
  await copyFile(file, good);
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(pageBytes, 0x5a), 0, pageBytes, pageBytes);
  await handle.close();
  const damaged = await readFile(file);
  const onDamaged = await failedStart(() => server.restart());
  const isUntouched = damaged.equals(await readFile(file));
  await copyFile(good, file);
  await server.restart();
  return [
    ...wrongUnless(/can not be written/.test(onReadOnly), `on a read-only disk: ${onReadOnly}`),
    ...wrongUnless(/is damaged/.test(onDamaged), `on a damaged file: ${onDamaged}`),
    ...wrongUnless(isUntouched, 'the damaged file was changed'),
  ];
}

/** What a start that must fail said; empty when it did not fail. */
function failedStart(start: () => Promise<void>): Promise<string> {
  return start().then(
    () => '',
    (error: unknown) => String(error),
  );
}

/** The database takes no writes for a while, as a stand-in does. */
async function readOnlyDatabase({ setUp, isLong }: FaultScene): Promise<string[]> {
  const client = new Client({ connectionString: setUp.databaseUrl });
  await client.connect();
  const set = async (value: string) => {
    await client.query(`alter system set default_transaction_read_only = ${value}`);
    await client.query('select pg_reload_conf()');
  };
  try {
    await set('on');
    await pause(isLong ? 5000 : 500);
  } finally {
    await client.query('set default_transaction_read_only = off');
    await set('off');
    await client.end();
  }
  return [];
}

/** Everything that was acknowledged before a backup began is in what is restored from it. */
async function backupUnderLoad({ setUp, scenario }: FaultScene): Promise<string[]> {
  await using target = await makeTempDir('restored');
  const file = join(target.path, 'backup.tar.gz');
  const isWaiting = new Set(
    scenario.participants.flatMap(({ page }) => page.outbox.waiting.get().map(({ text }) => text)),
  );
  const before = scenario.participants
    .flatMap(({ page }) => page.written.map(({ text }) => text))
    .filter((text) => !isWaiting.has(text));
  const other = setUp.cluster ? await createDatabase(setUp.cluster.postgres.url, { isEmpty: true }) : null;
  const settingsOf = (dataDir: string, url: string) => ({
    DATA_DIR: dataDir,
    ...(other ? { DATABASE_URL: url } : {}),
  });
  const saved = await operate(['backup', file], settingsOf(setUp.dataDir, setUp.databaseUrl));
  const dataDir = join(target.path, 'data');
  const restored = await operate(['restore', file], settingsOf(dataDir, other?.url ?? ''));
  if (saved.exitCode !== 0 || restored.exitCode !== 0) return [`${saved.said} ${restored.said}`];
  const database = openDatabase(other?.url ?? `sqlite:${join(dataDir, 'tunemate.sqlite')}`);
  const rows = await database.db.selectFrom('private_messages').select('text').execute();
  await database.close();
  await other?.drop();
  const there = new Set(rows.map(({ text }) => text));
  const missing = before.filter((text) => !there.has(text));
  return wrongUnless(missing.length === 0, `the backup lacks ${String(missing.length)} messages`);
}

export const storageFaults: readonly Fault[] = [
  { id: 'disk-full', what: 'the disk is full', onSmallDisk: true, mayFail: true, run: diskFull },
  {
    id: 'bad-file',
    what: 'a read-only disk; a damaged database file at the start (three: a read-only database)',
    onSmallDisk: true,
    run: (scene) => (scene.setUp.cluster ? readOnlyDatabase(scene) : badFileAtBoot(scene)),
  },
  { id: 'backup', what: 'a backup under load, restored elsewhere', isSlow: true, run: backupUnderLoad },
];
