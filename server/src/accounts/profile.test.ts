import { randomUUID } from 'node:crypto';
import { userStream, type Uid, type UserChange } from '@tunemate/protocol';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import type { HttpVisitor } from '@tunemate/testkit/network/http-visitor';
import { emailOf, goodPassword, startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { openDatabase } from '../storage/database.ts';
import { StreamRecord } from '../storage/record.ts';

const signedOut = { ok: true, value: { status: 'signed-out' } };

async function uidOf(person: HttpVisitor): Promise<Uid> {
  const { result } = await person.call('GET /api/session', {});
  if (!result.ok || result.value.status !== 'signed-in') throw new Error('not signed in');
  return result.value.user.uid;
}

describeEachDialect('one’s own account', (makeDatabaseUrl) => {
  let app: TestApp;
  let url: string;
  beforeAll(async () => {
    url = await makeDatabaseUrl();
    app = await startTestApp({ databaseUrl: url });
  });
  afterAll(() => app.close());

  /** The changes on a user's own stream, read as another process would. */
  async function changesOf(uid: Uid): Promise<unknown[]> {
    const database = openDatabase(url);
    try {
      const entries = await new StreamRecord(database, app.clock).entriesAfter(userStream(uid), 0);
      return entries.map(({ change }) => JSON.parse(change) as unknown);
    } finally {
      await database.close();
    }
  }

  test('changes name, read receipts and previews of links, and sends the change to all tabs', async () => {
    const anna = await app.member('Anna');
    const renamed = await anna.call('PATCH /api/accounts/me', { name: ' Anna Bell ' });
    expect(renamed.result).toMatchObject({ ok: true, value: { name: 'Anna Bell', readReceipts: true } });
    await anna.call('PATCH /api/accounts/me', { readReceipts: false });
    await anna.call('PATCH /api/accounts/me', { linkPreviews: false });
    const changed = { type: 'accounts/changed', name: 'Anna Bell' };
    expect(await changesOf(await uidOf(anna))).toEqual([
      { ...changed, readReceipts: true, linkPreviews: true },
      { ...changed, readReceipts: false, linkPreviews: true },
      { ...changed, readReceipts: false, linkPreviews: false },
    ]);
  });

  test('turns read receipts on again, and answers an empty change with the unchanged account', async () => {
    const anna = await app.member('Annette');
    await anna.call('PATCH /api/accounts/me', { readReceipts: false });
    const back = await anna.call('PATCH /api/accounts/me', { readReceipts: true });
    expect(back.result).toMatchObject({ ok: true, value: { readReceipts: true } });
    const { result } = await anna.call('PATCH /api/accounts/me', {});
    expect(result).toEqual(back.result);
  });

  test.each(['online', 'email', 'emailVerified', 'createdAt', 'soulmate', 'tunemates', 'audioConnections', 'uid'])(
    'refuses to write %s directly (matrix row 5)',
    async (field) => {
      const person = await app.member(`Writer${field}`);
      const { status, result } = await person.send('PATCH /api/accounts/me', { [field]: 'x' });
      expect(status).toBe(422);
      expect(result).toMatchObject({ ok: false, error: { code: 'input/invalid' } });
    },
  );

  test('deletes the account for the right password only, and refuses sign-ins afterwards (ACCT-32)', async () => {
    const bert = await app.member('Bert');
    const uid = await uidOf(bert);
    const elsewhere = app.visitor();
    await elsewhere.call('POST /api/accounts/sign-in', { email: emailOf('Bert'), password: goodPassword });

    const wrong = await bert.call('POST /api/accounts/delete', { password: 'not the right one' });
    const refused = { code: 'auth/invalid-credentials', field: 'password' };
    expect(wrong).toMatchObject({ status: 401, result: { error: refused } });
    const gone = await bert.call('POST /api/accounts/delete', { password: goodPassword });
    expect(gone.status).toBe(200);
    expect(bert.cookie()).toBe('');
    expect((await elsewhere.call('GET /api/session', {})).result).toEqual(signedOut);
    const again = await elsewhere.call('POST /api/accounts/sign-in', {
      email: emailOf('Bert'),
      password: goodPassword,
    });
    expect(again.status).toBe(401);
    const ended = (await changesOf(uid)).filter(
      (change) => (change as { type: string }).type === 'accounts/sessionsEnded',
    );
    expect(ended).toEqual([{ type: 'accounts/sessionsEnded', sessionIds: expect.any(Array) as string[] }]);
    expect((ended[0] as { sessionIds: string[] }).sessionIds).toHaveLength(2);

    // The address is free again for a new user.
    const successor = app.visitor();
    const email = emailOf('Bert');
    await successor.call('POST /api/accounts/sign-up', { name: 'Bertil', email, password: goodPassword });
    await successor.call('POST /api/accounts/verify-email', { oobCode: await app.codeFor(email, 2) });
    await successor.call('POST /api/accounts/sign-in', { email, password: goodPassword });
    expect(await uidOf(successor)).not.toBe(uid);
  });

  test('deletes undelivered changes and stored answers with the account', async () => {
    const dora = await app.member('Dora');
    const uid = await uidOf(dora);
    await dora.call('PATCH /api/accounts/me', { name: 'Dora Marmalade' });
    const database = openDatabase(url);
    const record = new StreamRecord(database, app.clock);
    const once = {
      uid,
      client_id: randomUUID(),
      request_hash: '',
      answer: '"marmalade"',
      at_ms: 0,
      until_ms: 0,
      room_id: null,
    };
    await database.db.insertInto('idempotency').values(once).execute();
    await dora.call('POST /api/accounts/delete', { password: goodPassword });
    const entries = await record.entriesAfter(userStream(uid), 0);
    expect(entries.map(({ change }) => (JSON.parse(change) as { type: string }).type)).toEqual([
      'accounts/sessionsEnded',
    ]);
    const answers = database.db.selectFrom('idempotency').select('answer').where('uid', '=', uid);
    expect(await answers.execute()).toEqual([]);
    await database.close();
  });

  test('lets an unverified user delete their account, but change nothing of it', async () => {
    const [visitor, email] = [app.visitor(), emailOf('Cora')];
    await visitor.call('POST /api/accounts/sign-up', { name: 'Cora', email, password: goodPassword });
    await visitor.call('POST /api/accounts/sign-in', { email, password: goodPassword });
    expect((await visitor.call('PATCH /api/accounts/me', { name: 'C' })).status).toBe(403);
    expect((await visitor.call('POST /api/accounts/delete', { password: goodPassword })).status).toBe(200);
  });

  test('exports the stored data of a user, without secrets (ACCT-34)', async () => {
    const dina = await app.member('Dina');
    const text = await (await dina.fetch('/api/accounts/export')).text();
    expect(JSON.parse(text)).toMatchObject({ user: { name: 'Dina', email: emailOf('Dina') } });
    expect(text).not.toMatch(/argon2|token|hash/i);
  });

  test('writes an audit row for each step, without bodies or tokens (ACCT-35)', async () => {
    const email = emailOf('Edda');
    const newer = 'seven quiet mountains';
    const visitor = app.visitor();
    const signUp = { name: 'Edda', email, password: goodPassword };
    const step = async (call: () => Promise<{ status: number }>, status = 200) => {
      app.clock.advance(60_000);
      expect((await call()).status).toBe(status);
    };
    const signIn = (password: string) => visitor.call('POST /api/accounts/sign-in', { email, password });
    await step(() => visitor.call('POST /api/accounts/sign-up', signUp));
    await step(() => visitor.call('POST /api/accounts/sign-up', signUp));
    await step(() => signIn(goodPassword));
    await step(() => visitor.call('POST /api/accounts/resend-verification', {}));
    const oobCode = await app.codeFor(email, 3);
    await step(() => visitor.call('POST /api/accounts/verify-email', { oobCode }));
    const uid = await uidOf(visitor);
    await step(() => app.visitor().call('POST /api/accounts/sign-up', signUp));
    await step(() => signIn('not the right one'), 401);
    const change = { currentPassword: goodPassword, password: newer };
    await step(() => visitor.call('POST /api/accounts/change-password', change));
    await step(() => visitor.call('POST /api/accounts/sign-out', {}));
    await step(() => visitor.call('POST /api/accounts/request-password-reset', { email }));
    const reset = { oobCode: await app.codeFor(email, 5), password: goodPassword };
    await step(() => visitor.call('POST /api/accounts/reset-password', reset));
    await step(() => signIn(goodPassword));
    const { result } = await visitor.call('GET /api/accounts/sessions', {});
    const sessionId = (result.ok && result.value.sessions[0]?.sessionId) || '';
    await step(() => visitor.call('POST /api/accounts/revoke-session', { sessionId }));
    await step(() => signIn(goodPassword));
    await step(() => visitor.call('POST /api/accounts/sign-out-everywhere', {}));
    await step(() => signIn(goodPassword));
    await step(() => visitor.call('POST /api/accounts/delete', { password: goodPassword }));
    const database = openDatabase(url);
    const rows = await database.db.selectFrom('audit').selectAll().where('uid', '=', uid).orderBy('at_ms').execute();
    await database.close();
    expect(rows.map(({ event }) => event.slice('account.'.length))).toEqual([
      ...['signed-up', 'sign-up-repeated', 'signed-in', 'verification-resent', 'email-verified'],
      ...['sign-up-of-known-address', 'sign-in-refused', 'password-changed', 'signed-out'],
      ...['password-reset-requested', 'password-reset', 'signed-in', 'session-revoked'],
      ...['signed-in', 'signed-out-everywhere', 'signed-in', 'deleted'],
    ]);
    expect(rows.every(({ address }) => address === '127.0.0.1')).toBe(true);
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual(['address', 'at_ms', 'event', 'id', 'uid']);
  });

  test('expired rows are deleted', async () => {
    const day = 24 * 60 * 60 * 1000;
    await app.member('Flora');
    await app
      .visitor()
      .call('POST /api/accounts/sign-up', { name: 'G', email: emailOf('Gina'), password: goodPassword });
    const database = openDatabase(url);
    const count = async (table: 'sessions' | 'action_codes' | 'sign_up_tickets' | 'mails' | 'audit') =>
      Number(
        (
          await database.db
            .selectFrom(table)
            .select((fn) => fn.fn.countAll().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      );
    await app.codeFor(emailOf('Gina'));
    // Wait until the mail is sent and marked as sent.
    await app.app.runBackground();
    expect(await count('action_codes')).toBeGreaterThan(0);
    app.clock.advance(2 * day);
    await app.app.runBackground();
    expect(await count('action_codes')).toBe(0);
    expect(await count('sign_up_tickets')).toBe(0);
    expect(await count('mails')).toBe(0);
    const oldEntries = await database.db
      .selectFrom('stream_entries')
      .select('seq')
      .where('at_ms', '<', app.clock.now() - day)
      .execute();
    expect(oldEntries).toEqual([]);
    expect(await count('sessions')).toBeGreaterThan(0);
    expect(await count('audit')).toBeGreaterThan(0);
    app.clock.advance(90 * day);
    await app.app.runBackground();
    expect(await count('sessions')).toBe(0);
    expect(await count('audit')).toBe(0);
    await database.close();
  });
});

/** A rename reaches every screen that shows the name, also amid concurrent writes. */
describeEachDialect('a new name', (makeDatabaseUrl) => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => w.close());

  const arrive = (...names: string[]) => Promise.all(names.map((name) => w.arrive(name)));

  async function rename(tab: Tab, name: string): Promise<void> {
    const visitor = w.app.visitor();
    visitor.setCookie(tab.cookie);
    valueOf((await visitor.call('PATCH /api/accounts/me', { name })).result);
  }

  async function write(from: Tab, to: Tab): Promise<void> {
    valueOf(await from.ask('chats/send', { clientId: newClientId(), uid: to.uid, text: 'hello' }));
  }

  async function linkSoulmates(a: Tab, b: Tab): Promise<void> {
    await write(a, b);
    valueOf(await a.ask('soulmate/ask', { clientId: newClientId(), uid: b.uid }));
    const { notifications } = (await w.connect(b)).snapshot;
    valueOf(await b.ask('soulmate/accept', { id: notifications[0]?.id ?? '' }));
  }

  const userChanges = (tab: Tab) => tab.changes(userStream(tab.uid)) as UserChange[];
  /** The names of a user that a tab received outside of rooms. */
  const namesSent = (tab: Tab, of: Tab) => [
    ...new Set(
      tab.ephemeral.flatMap((each) =>
        each.type === 'people/changed' && each.person.uid === of.uid ? [each.person.name] : [],
      ),
    ),
  ];

  test('is sent to tunemates of both kinds, the soulmate, chat partners and rooms, and to no other user', async () => {
    const [mara, ivo, ada, theo, ines, sami, eve] = await arrive('Mara', 'Ivo', 'Ada', 'Theo', 'Ines', 'Sami', 'Eve');
    if (!mara || !ivo || !ada || !theo || !ines || !sami || !eve) throw new Error('a user is missing');
    const room = await w.room(mara, 'audio');
    await w.letIn(mara, ivo, room);
    await w.letIn(ada, mara, await w.room(ada, 'video'));
    valueOf(await ivo.ask('rooms/enter', room));
    await linkSoulmates(mara, theo);
    await write(ines, mara);
    await write(sami, mara);
    valueOf(await mara.ask('chats/block', { uid: sami.uid, isBlocked: true }));

    await rename(mara, 'Mara Lind');
    for (const tab of [ivo, ada, theo, ines]) await expect.poll(() => namesSent(tab, mara)).toContain('Mara Lind');
    const inRoom = { type: 'rooms/participantRenamed', uid: mara.uid, name: 'Mara Lind' };
    await expect.poll(() => ivo.changes()).toContainEqual(inRoom);
    // Despite a block the name is sent, because their chat shows it.
    const renamed = { type: 'people/changed', person: { uid: mara.uid, name: 'Mara Lind', presence: null } };
    await expect.poll(() => sami.ephemeral.at(-1)).toEqual(renamed);
    expect([mara, eve].flatMap((tab) => namesSent(tab, mara))).toEqual([]);
    expect((await w.connect(theo)).snapshot.soulmate).toMatchObject({ uid: mara.uid, name: 'Mara Lind' });
    expect((await w.connect(ada)).snapshot.tunemates).toMatchObject([{ uid: mara.uid, name: 'Mara Lind' }]);
    expect([mara, ivo, ada, theo, ines, sami].flatMap(({ gaps }) => gaps)).toEqual([]);
  });

  test('reaches a new tunemate, whether the rename or the accept comes first', async () => {
    const [mara, ...guests] = await arrive('Mara', 'Ivo', 'Ada', 'Theo', 'Ines');
    if (!mara) throw new Error('Mara is missing');
    const room = await w.room(mara, 'video');
    for (const [round, guest] of guests.entries()) {
      valueOf(await guest.ask('rooms/askToJoin', room));
      const name = `Mara ${String(round)}`;
      await Promise.all([rename(mara, name), mara.ask('rooms/acceptRequest', { ...room, uid: guest.uid })]);
      await expect.poll(() => nameKnownTo(guest, mara)).toBe(name);
    }
  });

  /** The name that a tab shows of a tunemate, by the changes it received, which are never older than the list. */
  function nameKnownTo(tab: Tab, mate: Tab): string | undefined {
    const added = userChanges(tab).flatMap((each) => (each.type === 'tunemates/added' ? [each.tunemate] : []));
    const listed = added.findLast(({ uid }) => uid === mate.uid)?.name;
    return listed === undefined ? undefined : (namesSent(tab, mate).at(-1) ?? listed);
  }

  test('is limited to five an hour; the sixth is refused, other settings are not', async () => {
    const limited = await openSocketWorld({ env: { RATE_LIMIT_SCALE: '1' } });
    const mara = await limited.person('Mara');
    const visitor = limited.app.visitor();
    visitor.setCookie(mara.cookie);
    const change = async (changes: { name?: string; readReceipts?: boolean }) =>
      codeOf((await visitor.call('PATCH /api/accounts/me', changes)).result);
    for (let n = 0; n < 5; n += 1) expect(await change({ name: `Mara ${String(n)}` })).toBe('ok');
    expect(await change({ name: 'Mara again' })).toBe('limit/too-many');
    // The same name again, and a setting that is not shown to others.
    expect([await change({ name: 'Mara 4' }), await change({ readReceipts: false })]).toEqual(['ok', 'ok']);
    limited.clock.advance(12 * 60_000);
    expect(await change({ name: 'Mara again' })).toBe('ok');
  });
});
