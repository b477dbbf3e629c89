/** Reports: who may report what, what is kept of it, and the operator's answer. */
import { pairIdOf } from '@tunemate/domain';
import { userStream, type Uid } from '@tunemate/protocol';
import { newClientId, refusalOf, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { fillInbox } from '@tunemate/testkit/worlds/full-inbox';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomIds } from '../system/machine.ts';
import { openDatabase } from '../storage/database.ts';
import { operatorLog } from '../storage/operator-log.ts';
import { StreamRecord } from '../storage/record.ts';
import { uploadsGoing } from '../chats/uploads/uploads-store.ts';
import { pruneEarlierWords } from '../storage/earlier-words.ts';
import { reportAdmin } from './reports.ts';

const reason = 'They insult everybody.';

describeEachDialect('reports', (makeDatabaseUrl) => {
  let w: SocketWorld;
  let admin: ReturnType<typeof reportAdmin>;
  let database: ReturnType<typeof openDatabase>;
  beforeAll(async () => {
    const databaseUrl = await makeDatabaseUrl();
    w = await openSocketWorld({ databaseUrl });
    // A database of its own, as a command of the operator has it.
    database = openDatabase(databaseUrl);
    const ids = randomIds();
    const record = new StreamRecord(database, w.clock);
    admin = reportAdmin({ record, note: operatorLog(ids, 'ann'), ids, notify: () => undefined });
  });
  afterAll(async () => {
    await database.close();
    await w.close();
  });

  const all = { from: 0, most: 1000 };

  async function stage() {
    const [host, guest, stranger] = [await w.arrive('Mara'), await w.arrive('Ivo'), await w.arrive('Theo')];
    const room = await w.room(host, 'video');
    await w.letIn(host, guest, room);
    const said = valueOf(await host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'You fool' }));
    const about = { type: 'roomMessage' as const, ...room, messageId: said.message.id };
    return { host, guest, stranger, room, about };
  }
  const payload = (uid: Uid, about: Parameters<typeof send>[1]['about'] = { type: 'person' as const }) => ({
    ...{ clientId: newClientId(), uid, about, reason },
  });
  const send = (tab: Tab, report: { about: object } & Record<string, unknown>) => tab.send('reports/send', report);
  const reportsBy = async ({ uid }: Tab) =>
    (await admin.list(true, all)).rows
      .filter(({ reporter }) => reporter === uid)
      .map(({ place, text }) => [place, text]);

  test('one person leaves fifty reports that wait at most, and may report again once some were answered', async () => {
    const { guest, host, stranger } = await stage();
    for (let n = 0; n < 50; n += 1) valueOf(await send(guest, payload(host.uid)));
    const known = payload(host.uid);
    expect(refusalOf(await send(guest, known))).toBe('limit/too-many');
    valueOf(await send(stranger, payload(host.uid)));
    const { rows } = await admin.list(false, all);
    await admin.answer(rows.find(({ reporter }) => reporter === guest.uid)?.id ?? '');
    valueOf(await send(guest, known));
    valueOf(await send(guest, known));
    expect(refusalOf(await send(guest, payload(host.uid)))).toBe('limit/too-many');
  });

  test('a member of the room reports a message there, once however often it is sent; others can’t', async () => {
    const { host, guest, stranger, about } = await stage();
    const report = payload(host.uid, about);
    valueOf(await send(guest, report));
    valueOf(await send(guest, report));
    expect(refusalOf(await send(guest, { ...report, reason: 'Other words' }))).toBe('input/conflict');
    expect(await reportsBy(guest)).toEqual([[`room ${about.code}`, 'You fool']]);
    expect(refusalOf(await send(stranger, payload(host.uid, about)))).toBe('access/not-found');
    // The words must be of the person who is named.
    expect(refusalOf(await send(guest, payload(stranger.uid, about)))).toBe('access/not-found');
    expect(refusalOf(await send(guest, payload(host.uid, { ...about, messageId: 'x' })))).toBe('access/not-found');
  });

  test('a private message is reported by its receiver only, and a person by any user', async () => {
    const { host, guest, stranger } = await stage();
    valueOf(await host.ask('chats/send', { clientId: newClientId(), uid: guest.uid, text: 'Fool again' }));
    const about = { type: 'privateMessage', number: 1 };
    expect(refusalOf(await send(stranger, payload(host.uid, about)))).toBe('access/not-found');
    expect(refusalOf(await send(host, payload(guest.uid, about)))).toBe('access/not-found');
    valueOf(await send(guest, payload(host.uid, about)));
    valueOf(await send(stranger, payload(host.uid)));
    expect(await reportsBy(guest)).toEqual([['private', 'Fool again']]);
    expect(await reportsBy(stranger)).toEqual([['person', null]]);
    for (const wrong of ['', ' ', '\u200b', 'x'.repeat(501)]) {
      expect(refusalOf(await send(guest, { ...payload(host.uid), reason: wrong }))).toBe('input/invalid');
    }
  });

  test('a picture is reported as one, with the words under it', async () => {
    const { host, guest } = await stage();
    const imageId = `${host.uid.slice(0, 21)}1`;
    const row = { pair_id: pairIdOf(host.uid, guest.uid), uploader: host.uid, width: 1, height: 1, bytes: 4 };
    await w.db
      .insertInto('images')
      .values({ ...row, image_id: imageId, state: 'unsent', created_at_ms: w.clock.now() })
      .execute();
    valueOf(await host.ask('chats/send', { clientId: newClientId(), uid: guest.uid, text: 'You', imageId }));
    valueOf(await send(guest, payload(host.uid, { type: 'privateMessage', number: 1 })));
    expect(await reportsBy(guest)).toEqual([['private', '(a picture) You']]);
    // Its sender deletes it: the operator still has the picture to judge by, until the answer.
    valueOf(await host.ask('chats/delete', { pairId: row.pair_id, number: 1 }));
    const isGoing = async () => (await uploadsGoing(w.db, 1000)).includes(imageId);
    expect(await isGoing()).toBe(false);
    const { rows } = await admin.list(false, all);
    await admin.answer(rows.find(({ uploadId }) => uploadId === imageId)?.id ?? '');
    expect(await isGoing()).toBe(true);
  });

  test('a picture that is taken back before it is reported is kept by a report that finds it still there', async () => {
    const { host, guest } = await stage();
    const imageId = `${host.uid.slice(0, 21)}2`;
    const pairId = pairIdOf(host.uid, guest.uid);
    const row = { pair_id: pairId, uploader: host.uid, width: 1, height: 1, bytes: 4 };
    await w.db
      .insertInto('images')
      .values({ ...row, image_id: imageId, state: 'unsent', created_at_ms: w.clock.now() })
      .execute();
    valueOf(await host.ask('chats/send', { clientId: newClientId(), uid: guest.uid, text: 'You', imageId }));
    valueOf(await guest.ask('chats/mark', { pairId, deliveredUpTo: 1, readUpTo: 1 }));
    valueOf(await host.ask('chats/delete', { pairId, number: 1 }));
    const isGoing = async () => (await uploadsGoing(w.db, 1000)).includes(imageId);
    expect(await isGoing()).toBe(true);
    valueOf(await send(guest, payload(host.uid, { type: 'privateMessage', number: 1 })));
    expect(await isGoing()).toBe(false);
  });

  test('the sender takes a message back, and who received it reports for a day what it said', async () => {
    const { host, guest, stranger } = await stage();
    const pairId = pairIdOf(host.uid, guest.uid);
    const say = (text: string) => host.ask('chats/send', { clientId: newClientId(), uid: guest.uid, text });
    for (const text of ['I will find you', 'You are nothing']) valueOf(await say(text));
    valueOf(await guest.ask('chats/mark', { pairId, deliveredUpTo: 2, readUpTo: 2 }));
    valueOf(await say('a typo'));
    valueOf(await host.ask('chats/delete', { pairId, number: 1 }));
    const kind = { clientId: newClientId(), text: 'Have a nice day', edits: 1 };
    valueOf(await host.ask('chats/edit', { pairId, number: 2, ...kind }));
    valueOf(await host.ask('chats/delete', { pairId, number: 3 }));
    const report = (number: number, by = guest) => send(by, payload(host.uid, { type: 'privateMessage', number }));
    valueOf(await report(1));
    valueOf(await report(2));
    const said = (await reportsBy(guest)).map(([, text]) => text);
    expect(new Set(said)).toEqual(new Set(['Have a nice day\nbefore: You are nothing', 'before: I will find you']));
    // What was never received says nothing, and no other person learns what was said.
    expect(refusalOf(await report(3))).toBe('access/not-found');
    expect(refusalOf(await report(1, stranger))).toBe('access/not-found');
    w.clock.advance(24 * 60 * 60_000);
    await pruneEarlierWords(w.db, w.clock.now());
    expect(refusalOf(await report(1))).toBe('access/not-found');
  });

  test('a message of a room is reported after its sender has changed and deleted it', async () => {
    const { host, guest, room, about } = await stage();
    const { messageId } = about;
    const edited = { clientId: newClientId(), text: 'Hello all', edits: 1 };
    valueOf(await host.ask('rooms/editMessage', { ...room, messageId, ...edited }));
    valueOf(await host.ask('rooms/deleteMessage', { ...room, messageId }));
    valueOf(await send(guest, payload(host.uid, about)));
    expect(await reportsBy(guest)).toEqual([[`room ${about.code}`, 'before: You fool\nbefore: Hello all']]);
  });

  test('its words outlive the room, and the reported user receives nothing', async () => {
    const { host, guest, room, about } = await stage();
    const heardBefore = host.changes(userStream(host.uid)).length;
    valueOf(await send(guest, payload(host.uid, about)));
    valueOf(await host.ask('rooms/leave', { ...room, ends: true }));
    expect(await reportsBy(guest)).toEqual([[`room ${about.code}`, 'You fool']]);
    expect(host.changes(userStream(host.uid))).toHaveLength(heardBefore);
    const visitor = w.app.visitor();
    visitor.setCookie(host.cookie);
    expect(await (await visitor.fetch('/api/accounts/export')).text()).not.toContain(reason);
    visitor.setCookie(guest.cookie);
    expect(await (await visitor.fetch('/api/accounts/export')).text()).toContain(reason);
  });

  test('the operator answers once, and the reporter is notified', async () => {
    const { host, guest } = await stage();
    valueOf(await send(guest, payload(host.uid)));
    const waiting = (await admin.list(false, all)).rows.find(({ reporter }) => reporter === guest.uid);
    expect(waiting).toMatchObject({ reported: host.uid, reason, place: 'person', answeredAtMs: null });
    expect(await admin.answer(waiting?.id ?? '')).toBe(true);
    expect(await admin.answer(waiting?.id ?? '')).toBe(false);
    expect(await admin.answer('nothing')).toBe(null);
    expect((await admin.list(false, all)).rows.some(({ reporter }) => reporter === guest.uid)).toBe(false);
    const again = await w.connect(guest);
    expect(again.snapshot.notifications).toMatchObject([
      { type: 'report', message: 'Tunemate says that your report was read', senderName: 'Tunemate', room: null },
    ]);
    expect((await w.connect(host)).snapshot.notifications).toEqual([]);
  });

  test('the sender of a request that makes room for the answer to a report receives its removal', async () => {
    const { host, guest, stranger } = await stage();
    valueOf(await send(guest, payload(host.uid)));
    await fillInbox(w.db, guest.uid, stranger.uid);
    const report = (await admin.list(false, all)).rows.find(({ reporter }) => reporter === guest.uid);
    expect(await admin.answer(report?.id ?? '')).toBe(true);
    // The server finds it by itself: the command rings no bell here.
    await w.pass(0);
    await expect
      .poll(() => stranger.changes(userStream(stranger.uid)).at(-1))
      .toEqual({ type: 'soulmate/asked', asked: [] });
  });

  test('many reports of one person, or about one, hide no other, and every one is on a page (ADMIN-9)', async () => {
    await w.db.deleteFrom('reports').execute();
    const row = (n: number, reporter: string, reported: string) => ({
      ...{ id: `many-${String(n)}`, at_ms: n, reporter, reported, place: 'person', text: null },
      ...{ reason: 'again and again', answered_at_ms: null },
    });
    const flood = Array.from({ length: 200 }, (_each, n) => row(n, 'Eve', `Victim ${String(n)}`));
    const mob = Array.from({ length: 200 }, (_each, n) => row(1000 + n, `Bot ${String(n)}`, 'Mara'));
    await w.db
      .insertInto('reports')
      .values([...flood, ...mob, row(9000, 'Theo', 'Ivo')])
      .execute();
    const first = await admin.list(false, { from: 0, most: 50 });
    expect(first.total).toBe(401);
    expect(first.rows.slice(0, 3).map(({ reporter }) => reporter)).toContain('Theo');
    // One reporter's fifty about one person stand behind the first of another about the same.
    await w.db.deleteFrom('reports').execute();
    const eves = Array.from({ length: 50 }, (_each, n) => row(n, 'Eve', 'Mara'));
    await w.db
      .insertInto('reports')
      .values([...eves, row(9000, 'Theo', 'Mara')])
      .execute();
    const two = await admin.list(false, { from: 0, most: 2 });
    expect(two.rows.map(({ reporter }) => reporter)).toEqual(['Eve', 'Theo']);
    await w.db.deleteFrom('reports').execute();
    await w.db
      .insertInto('reports')
      .values([...flood, ...mob, row(9000, 'Theo', 'Ivo')])
      .execute();
    const ids = new Set<string>();
    for (const answeredToo of [false, true]) {
      ids.clear();
      for (let from = 0; from < 401; from += 50) {
        for (const { id } of (await admin.list(answeredToo, { from, most: 50 })).rows) ids.add(id);
      }
      expect(ids.size).toBe(401);
    }
  });
});
