/** `check` reads everything and says what is wrong; a backup names what is not whole. */
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { webpBytes } from '@tunemate/testkit/media-bytes';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { operate } from '@tunemate/testkit/services/operate';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { makePeople } from '@tunemate/testkit/worlds/crowd';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../storage/database.ts';

const said = (pattern: RegExp) => expect.stringMatching(pattern) as string;

describeEachDialect('a check of everything that is stored', (makeDatabaseUrl, dialect) => {
  async function stage(...pictures: string[]) {
    const dir = await makeTempDir('check');
    onTestFinished(() => dir.remove());
    const url = dialect === 'sqlite' ? `sqlite:${join(dir.path, 'tunemate.sqlite')}` : await makeDatabaseUrl();
    await makePeople(url, 3);
    const database = openDatabase(url);
    for (const imageId of pictures) {
      const row = { pair_id: 'a_b', uploader: 'a', width: 1, height: 1, bytes: 4, created_at_ms: 0 };
      await database.db
        .insertInto('images')
        .values({ ...row, image_id: imageId, state: 'sent' })
        .execute();
    }
    await database.close();
    const images = join(dir.path, 'images');
    await mkdir(images);
    for (const id of pictures)
      for (const size of ['full', 'preview']) await writeFile(join(images, `${id}.${size}.webp`), webpBytes('picture'));
    const env: { DATA_DIR: string; DATABASE_URL?: string } = {
      DATA_DIR: dir.path,
      ...(dialect === 'sqlite' ? {} : { DATABASE_URL: url }),
    };
    return { env, images, file: join(dir.path, 'tunemate.sqlite'), backup: join(dir.path, 'backup.tar.gz') };
  }

  test('counts what it has read where nothing is wrong (CHECK-1)', async () => {
    const { env } = await stage('one', 'two');
    expect(await operate(['check'], env)).toEqual({
      exitCode: 0,
      said: said(/^Read \d+ tables with \d+ rows, and 4 files\.\nNothing is wrong\.\n$/),
    });
  });

  test('names each file that is missing, empty or cut, and so does a backup (CHECK-1)', async () => {
    const { env, images, backup } = await stage('one', 'two');
    await writeFile(join(images, 'one.full.webp'), '');
    await writeFile(join(images, 'two.preview.webp'), webpBytes('picture').subarray(0, 9));
    expect(await operate(['check'], env)).toEqual({
      exitCode: 1,
      said: said(/, and 4 files\.\nimages\/one\.full\.webp is damaged\.\nimages\/two\.preview\.webp is damaged\.\n$/),
    });
    expect(await operate(['backup', backup], env)).toEqual({
      exitCode: 0,
      said: said(/\nFiles that are not whole: 2 \(one\.full\.webp, two\.preview\.webp\)\.\n$/),
    });
  });

  test('reads what a report waits with and its sender has deleted, and so does a backup', async () => {
    const { env, backup } = await stage('reported', 'answered', 'deleted');
    const database = openDatabase(env.DATABASE_URL ?? `sqlite:${join(env.DATA_DIR, 'tunemate.sqlite')}`);
    await database.db.updateTable('images').set({ state: 'going' }).execute();
    const report = { at_ms: 0, reporter: 'a', reported: 'b', place: 'private', text: null, reason: 'it is rude' };
    for (const [id, answered_at_ms] of [
      ['reported', null],
      ['answered', 1],
    ] as const)
      await database.db
        .insertInto('reports')
        .values({ ...report, id, upload_id: id, answered_at_ms })
        .execute();
    await database.close();
    expect(await operate(['check'], env)).toMatchObject({ exitCode: 0, said: said(/, and 2 files\./) });
    expect(await operate(['backup', backup], env)).toMatchObject({ exitCode: 0, said: said(/, 3 files\.\n$/) });
  });

  if (dialect === 'sqlite')
    test('finds an index that lacks a row, which a start does not see, and so does a backup (CHECK-1)', async () => {
      const { env, file, backup } = await stage();
      const database = new SqliteDatabase(file);
      const root = Number(
        database
          .prepare(`select rootpage from sqlite_master where type = 'index' and tbl_name = 'users' limit 1`)
          .pluck()
          .get(),
      );
      const pageBytes = Number(database.pragma('page_size', { simple: true }));
      database.pragma('wal_checkpoint(TRUNCATE)');
      database.close();
      // One row less in the page of the index.
      const handle = await open(file, 'r+');
      const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, (root - 1) * pageBytes + 3);
      const rows = buffer.readUInt16BE(0);
      buffer.writeUInt16BE(rows - 1, 0);
      await handle.write(buffer, 0, 2, (root - 1) * pageBytes + 3);
      await handle.close();
      expect(await operate(['check'], env)).toEqual({ exitCode: 1, said: said(/\nThe database: [^\n]*index[^\n]*\n/) });
      expect(await operate(['backup', backup], env)).toMatchObject({ exitCode: 1, said: said(/integrity_check/) });
    });
});
