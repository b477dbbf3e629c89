/** What a restart knows of a music server before that is read. On SQLite and PostgreSQL. */
import { fakeAccount, type FakeSubsonic, fakeSong, startFakeSubsonic } from '@tunemate/testkit/fakes/fake-subsonic';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Database, migrate, openDatabase } from '../../../storage/database.ts';
import { createLog } from '../../../system/logging.ts';
import type { Source } from '../source.ts';
import { openSubsonic } from './open-subsonic.ts';

const log = createLog('silent');
const copies = { of: () => null, forget: () => undefined, want: () => undefined };
/** More than one row. */
const count = 450;

describeEachDialect('a restart beside a music server', (makeDatabaseUrl) => {
  let database: Database;
  let fake: FakeSubsonic;
  let songs: object[];
  beforeEach(async () => {
    database = openDatabase(await makeDatabaseUrl());
    await migrate(database);
    songs = Array.from({ length: count }, (_, at) => fakeSong(at));
    fake = await startFakeSubsonic({ songAt: (at) => songs[at] ?? {}, count });
  });
  afterEach(async () => {
    await fake.close();
    await database.close();
  });

  async function open(user: string = fakeAccount.user): Promise<Source> {
    const account = { url: fake.url, user, password: fakeAccount.password, token: null };
    const parts = { db: database.db, clock: createFakeClock(), log, copies, changed: () => undefined };
    const source = await openSubsonic({ subsonic: account, ...parts });
    if (source === null) throw new Error('not set up');
    onTestFinished(() => source.close());
    return source;
  }
  const listed = (source: Source) => source.list().items.map(({ title, album, at }) => [title, album?.name, at?.id]);

  /** It takes calls, and answers none that asks for songs. */
  const holdLists = () => void (fake.answer = ({ method }) => method === 'search3');

  test('lists what was read before, in its order, while nothing answers (SONIC-4)', async () => {
    const first = await open();
    const before = listed(first);
    expect([before.length, before[0], before.at(-1)]).toEqual([
      count,
      ['Song number 0', 'Album 0', 'tr-0'],
      [`Song number ${String(count - 1)}`, 'Album 44', `tr-${String(count - 1)}`],
    ]);
    first.close();
    await fake.close();
    const again = await open();
    await expect.poll(() => [listed(again), again.isListed()]).toEqual([before, true]);
  });

  test('is ready before the list is read again', async () => {
    (await open()).close();
    holdLists();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    // Other files of this process would go on without timers. No patience ends here.
    onTestFinished(() => void vi.useRealTimers());
    const again = await open();
    expect(again.list().items).toHaveLength(count);
  });

  test('lists what has changed, and nothing that is gone', async () => {
    (await open()).close();
    songs = songs.slice(0, count - 100).with(3, { ...fakeSong(3), title: 'Another song' });
    const changed = await open();
    await expect.poll(() => changed.list().items.length).toBe(count - 100);
    changed.close();
    holdLists();
    const again = await open();
    await expect.poll(() => [again.list().items.length, listed(again)[3]?.[0]]).toEqual([count - 100, 'Another song']);
  });

  test('lists nothing of another account', async () => {
    (await open()).close();
    await fake.close();
    const other = await open('another');
    expect([listed(other), other.isListed()]).toEqual([[], false]);
  });
});
