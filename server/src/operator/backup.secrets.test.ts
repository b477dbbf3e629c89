/** What a backup must not hold: its finder reads much, and can act in no person's name elsewhere. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePeople } from '@tunemate/testkit/worlds/crowd';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { operate } from '@tunemate/testkit/services/operate';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { extract } from 'tar';
import { expect, test } from 'vitest';
import {
  accountOf,
  dueAccounts,
  enqueueListen,
  isRefused,
  saveToken,
  waitingListens,
} from '../listens/listens-store.ts';
import { openDatabase } from '../storage/database.ts';

describeEachDialect('a backup', (makeDatabaseUrl, dialect) => {
  test('has no token of another service and no mail with a link; the rest of both is restored', async () => {
    await using data = await makeTempDir('backup');
    await using target = await makeTempDir('restored');
    const isFile = dialect === 'sqlite';
    const url = isFile ? `sqlite:${join(data.path, 'tunemate.sqlite')}` : await makeDatabaseUrl();
    const [ada] = await makePeople(url, 1);
    if (!ada) throw new Error('no person was made');
    const database = openDatabase(url);
    await saveToken(database.db, ada.uid, 'a-token-of-Ada', 'ada-there', 1000);
    const listen = {
      listenedAtMs: 1000,
      artist: 'The Comet Trio',
      title: 'Night Ferry',
      album: null,
      durationMs: null,
    };
    await enqueueListen(database.db, ada.uid, listen);
    const mail = { recipient: 'ada@example.org', mailbox: 'ada@example.org', subject: 'A link', html: '' };
    await database.db
      .insertInto('mails')
      .values({
        ...mail,
        id: 'mail-1',
        text: 'https://x.example/a-link-of-Ada',
        next_attempt_at_ms: 1,
        created_at_ms: 1,
      })
      .execute();
    expect(await dueAccounts(database.db, 2000, 10)).toMatchObject([{ token: 'a-token-of-Ada' }]);
    await database.close();

    const file = join(data.path, 'backup.tar.gz');
    const envOf = (folder: string, of: string) => ({ DATA_DIR: folder, ...(isFile ? {} : { DATABASE_URL: of }) });
    expect(await operate(['backup', file], envOf(data.path, url))).toMatchObject({ exitCode: 0 });
    if (isFile) {
      await extract({ file, cwd: target.path, filter: (path) => path.endsWith('.sqlite') });
      const bytes = (await readFile(join(target.path, 'tunemate.sqlite'))).toString('latin1');
      expect(['ada-there', 'a-token-of-Ada', 'a-link-of-Ada'].map((text) => bytes.includes(text))).toEqual([
        ...[true, false, false],
      ]);
    }
    await using restored = await makeTempDir('restored');
    const to = isFile ? `sqlite:${join(restored.path, 'tunemate.sqlite')}` : await makeDatabaseUrl({ isEmpty: true });
    expect(await operate(['restore', file], envOf(restored.path, to))).toMatchObject({ exitCode: 0 });
    const { db, close } = openDatabase(to);
    const account = await accountOf(db, ada.uid);
    // Ada's page asks for the token again, and what waits is sent then.
    expect(account && [account.name, account.token, isRefused(account)]).toEqual(['ada-there', '', true]);
    expect(await dueAccounts(db, 2000, 10)).toEqual([]);
    expect(await waitingListens(db, ada.uid)).toEqual([listen]);
    expect(await db.selectFrom('mails').select('id').execute()).toEqual([]);
    await close();
  });
});
