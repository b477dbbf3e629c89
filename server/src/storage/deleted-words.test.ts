/** What a SQLite file and its backup still hold of words that were deleted: searched in their bytes. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { pairIdOf } from '@tunemate/domain';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { goodPassword } from '@tunemate/testkit/worlds/test-app';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { copySqlite } from '../operator/database-copy.ts';
import { migrate, openDatabase } from './database.ts';

/** Of what is written in this folder, the words that are found in any file. */
async function foundIn(folder: string, words: readonly string[]): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const bytes = await Promise.all(
    files.filter((each) => each.isFile()).map((each) => readFile(join(each.parentPath, each.name))),
  );
  return words.filter((word) => bytes.some((content) => content.includes(word)));
}

test('words of a room are in neither file nor log once it has ended and the log was folded, nor in a backup (BOOT-12)', async () => {
  const dir = await makeTempDir('words');
  const path = join(dir.path, 'tunemate.sqlite');
  const w = await openSocketWorld({ databaseUrl: `sqlite:${path}` });
  const words = ['marmalade', 'zeppelin', 'quicksand'];
  const host = await w.arrive('Mara');
  const { code } = valueOf(await host.ask('rooms/create', { clientId: newClientId(), kind: 'video', name: 'Ours' }));
  const room = { kind: 'video', code } as const;
  valueOf(await host.ask('rooms/enter', room));
  for (const word of words) {
    // Long enough for pages of their own.
    const text = `${word} `.repeat(200).slice(0, 2000);
    valueOf(await host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text }));
  }
  expect(await foundIn(dir.path, words)).toEqual(words);
  valueOf(await host.ask('rooms/leave', room));
  await w.app.app.runBackground();
  expect(await foundIn(dir.path, words)).toEqual([]);
  const backups = await makeTempDir('words-backup');
  await copySqlite(path, join(backups.path, 'copy.sqlite'));
  expect(await foundIn(backups.path, words)).toEqual([]);
  await w.close();
  expect(await foundIn(dir.path, words)).toEqual([]);
  await Promise.all([dir.remove(), backups.remove()]);
});

test('words of a private message that was edited and deleted are in neither file nor index (CHAT-31)', async () => {
  const dir = await makeTempDir('words');
  const w = await openSocketWorld({ databaseUrl: `sqlite:${join(dir.path, 'tunemate.sqlite')}` });
  const [ada, bob] = [await w.arrive('Ada'), await w.arrive('Bob')];
  const words = ['marmalade', 'armalade', 'quicksand', 'uicksand'];
  // Of the index a word may share its first letters with the word before it.
  for (const text of ['mango', 'quiet', 'marmalade quicksand', 'marble quick']) {
    valueOf(await ada.ask('chats/send', { uid: bob.uid, clientId: newClientId(), text }));
    valueOf(await bob.ask('chats/send', { uid: ada.uid, clientId: newClientId(), text: 'and' }));
  }
  const of = { pairId: pairIdOf(ada.uid, bob.uid), number: 5 };
  expect(await foundIn(dir.path, words)).toEqual(words);
  valueOf(await ada.ask('chats/edit', { ...of, clientId: newClientId(), text: 'quicksand', edits: 1 }));
  valueOf(await ada.ask('chats/delete', of));
  await w.app.app.runBackground();
  expect(await foundIn(dir.path, words)).toEqual([]);
  await w.close();
  await dir.remove();
});

test('words of an account are nowhere a day after it was deleted: its names, address, rooms, messages, requests (BOOT-12)', async () => {
  const dir = await makeTempDir('words');
  const path = join(dir.path, 'tunemate.sqlite');
  const w = await openSocketWorld({ databaseUrl: `sqlite:${path}` });
  const words = ['Marmaladia', 'Zeppelina', 'quicksandroom', 'brontosaur', 'cauliflower', 'persimmon'];
  const email = 'xylophonist@example.org';
  const { result } = await w.app.visitor().call('POST /api/accounts/sign-up', {
    ...{ name: 'Marmaladia', email, password: goodPassword },
  });
  expect(result.ok).toBe(true);
  const visitor = w.app.visitor();
  await visitor.call('POST /api/accounts/verify-email', { oobCode: await w.app.codeFor(email) });
  const signedIn = await visitor.call('POST /api/accounts/sign-in', { email, password: goodPassword });
  if (!signedIn.result.ok || signedIn.result.value.status !== 'signed-in') throw new Error('not signed in');
  const { uid } = signedIn.result.value.user;
  const friend = await w.arrive('Friend');
  const tab = await w.connect({ ...(await w.person('Unused')), uid, cookie: visitor.cookie() });
  await visitor.call('PATCH /api/accounts/me', { name: 'Zeppelina' });
  const room = await w.room(tab, 'video', 'quicksandroom');
  await w.letIn(tab, friend, room);
  valueOf(await tab.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'brontosaur '.repeat(50) }));
  valueOf(await tab.ask('chats/send', { clientId: newClientId(), uid: friend.uid, text: 'cauliflower '.repeat(50) }));
  valueOf(await tab.ask('soulmate/ask', { clientId: newClientId(), uid: friend.uid }));
  valueOf(
    await tab.ask('reports/send', {
      ...{ clientId: newClientId(), uid: friend.uid, about: { type: 'person' }, reason: 'persimmon '.repeat(20) },
    }),
  );
  expect(await foundIn(dir.path, [...words, 'xylophonist'])).toEqual([...words, 'xylophonist']);
  expect((await visitor.call('POST /api/accounts/delete', { password: goodPassword })).status).toBe(200);
  await w.pass(2 * 24 * 60 * 60 * 1000);
  await w.pass(60_000);
  // What they wrote to somebody stays with that person.
  expect(await foundIn(dir.path, [...words, 'xylophonist'])).toEqual(['cauliflower']);
  await w.close();
  await dir.remove();
});

test('the log is folded when the database is closed, also while another program reads it', async () => {
  const dir = await makeTempDir('words');
  const path = join(dir.path, 'tunemate.sqlite');
  const database = openDatabase(`sqlite:${path}`);
  await migrate(database);
  const other = new SqliteDatabase(path, { readonly: true });
  other.prepare('select count(*) from users').get();
  expect((await readFile(`${path}-wal`)).length).toBeGreaterThan(0);
  await database.close();
  expect((await readFile(`${path}-wal`)).length).toBe(0);
  other.close();
  await rm(dir.path, { recursive: true });
});

test('what an earlier version deleted without overwriting it is overwritten at the first start of this one', async () => {
  const dir = await makeTempDir('words');
  const path = join(dir.path, 'tunemate.sqlite');
  const first = openDatabase(`sqlite:${path}`);
  await migrate(first);
  await first.close();
  const old = new SqliteDatabase(path);
  old.pragma('secure_delete = OFF');
  old.pragma('user_version = 0');
  const streams = old.prepare('insert into streams (stream, head, at_ms) values (?, 0, 0)');
  for (let n = 0; n < 200; n += 1) streams.run(`marmalade ${'x'.repeat(500)} ${String(n)}`);
  old.exec('delete from streams');
  old.close();
  expect(await foundIn(dir.path, ['marmalade'])).toEqual(['marmalade']);
  const again = openDatabase(`sqlite:${path}`);
  await migrate(again);
  await again.close();
  expect(await foundIn(dir.path, ['marmalade'])).toEqual([]);
  await dir.remove();
});
