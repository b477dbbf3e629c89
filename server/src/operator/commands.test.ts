/** The operator's commands beside a running server: they go by its rules, and it notices by itself. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type RoomCode, type RoomId, roomStream, type StreamId, type Uid } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import { connect, makePeople, type Member } from '@tunemate/testkit/worlds/crowd';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { createHttpVisitor } from '@tunemate/testkit/network/http-visitor';
import { operate, operateProgram } from '@tunemate/testkit/services/operate';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { insertUser, insertUsers } from '@tunemate/testkit/worlds/people';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { emailOf, goodPassword } from '@tunemate/testkit/worlds/test-app';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertRoom } from '../rooms/lifecycle/rooms-store.ts';
import { openDatabase } from '../storage/database.ts';
import { operatorLog } from '../storage/operator-log.ts';
import type { Change } from '../storage/record.ts';

describeEachDialect('the operator’s commands', (makeDatabaseUrl, dialect) => {
  let dir: TempDir;
  let url: string;
  let env: Record<string, string>;
  let server: ServerProcess;
  let members: Member[];
  beforeAll(async () => {
    dir = await makeTempDir('admin');
    url = dialect === 'sqlite' ? `sqlite:${join(dir.path, 'tunemate.sqlite')}` : await makeDatabaseUrl();
    env = { DATA_DIR: dir.path, RATE_LIMIT_SCALE: '0', ...(dialect === 'sqlite' ? {} : { DATABASE_URL: url }) };
    const people = await makePeople(url, 5);
    server = await startServerProcess({ dataDir: dir.path, env });
    members = await Promise.all(people.map((person) => connect(server.url, person)));
  });
  afterAll(async () => {
    members.forEach(({ line }) => line.disconnect());
    await server.dispose();
    await dir.remove();
  });

  const memberAt = (n: number): Member => members[n] ?? expect.fail('no such member');
  /** What the pages of a running server must have received by the last test, which waits for all of it at once. */
  const notices: { what: string; hasCome: boolean }[] = [];
  function expectNotice(what: string, { line }: Member, isIt: (change: Change, stream: StreamId) => boolean): void {
    const notice = { what, hasCome: false };
    notices.push(notice);
    line.on('entries', ({ stream, changes }) => {
      notice.hasCome ||= changes.some((change) => isIt(change, stream));
    });
  }
  const isEndOf =
    ({ roomId }: { roomId: RoomId }) =>
    ({ type }: Change, stream: StreamId): boolean =>
      type === 'rooms/ended' && stream === roomStream(roomId);
  const addressOf = async ({ person }: Member): Promise<string> => {
    const database = openDatabase(url);
    const row = await database.db.selectFrom('users').select('email').where('uid', '=', person.uid).executeTakeFirst();
    await database.close();
    return row?.email ?? '';
  };
  const ordered = async (...args: string[]): Promise<string> => {
    const { exitCode, said } = await operate(args, env);
    expect({ exitCode, said }).toEqual({ exitCode: 0, said });
    return said;
  };

  test('library counts what the server lists of its folder', async () => {
    await expect
      .poll(() => ordered('library'))
      .toMatch(/^Listed at \d{4}-\d\d-\d\d \d\d:\d\d: \d+\.\nNothing was left out\.\n$/);
  });

  test('operators are added, listed and removed; the running server goes by it at once (OPER-9)', async () => {
    const [one, other] = [memberAt(3), memberAt(4)];
    const visitor = createHttpVisitor(server.url, server.url);
    visitor.setCookie(one.person.cookie);
    const isOperator = async () => (await visitor.call('GET /api/operator', {})).result.ok;
    expect(await isOperator()).toBe(false);
    const address = await addressOf(one);
    expect(await ordered('operators', 'add', address)).toBe(`${address} runs this server.\n`);
    expect(await isOperator()).toBe(true);
    expect(await ordered('operators', 'list')).toContain(address);
    expect(await ordered('operators', 'remove', await addressOf(other))).toMatch(/did not run it/);
    expect(await ordered('operators', 'remove', one.person.uid)).toMatch(/no longer runs this server/);
    expect([await isOperator(), await ordered('operators', 'list')]).toEqual([false, 'Nobody runs this server yet.\n']);
    expect(await ordered('log')).toMatch(/operators remove[^\n]*\n[^\n]*operators add/);
  });

  test('verify, reset a password, disable and enable by the server’s own rules (ADMIN-2)', async () => {
    const visitor = createHttpVisitor(server.url, server.url);
    const email = emailOf('Berta');
    const signIn = async (password = goodPassword) =>
      (await visitor.call('POST /api/accounts/sign-in', { email, password })).result;
    await visitor.call('POST /api/accounts/sign-up', { name: 'Berta', email, password: goodPassword });
    expect(await ordered('people', 'find', 'BERT')).toMatch(/Berta +berta@example\.org +\d{4}-.+ not verified\n$/);
    await ordered('people', 'verify', email);
    expect(await signIn()).toMatchObject({ ok: true, value: { status: 'signed-in' } });
    await ordered('people', 'disable', email);
    expect(await ordered('people', 'find', 'BERT')).toMatch(/ disabled\n$/);
    // The session has ended, and only who knows the password learns why.
    expect((await visitor.call('GET /api/session', {})).result).toEqual({ ok: true, value: { status: 'signed-out' } });
    expect(await signIn()).toEqual({ ok: false, error: { code: 'auth/disabled' } });
    expect(await signIn('not the right one')).toEqual({ ok: false, error: { code: 'auth/invalid-credentials' } });
    // A new password changes nothing about that.
    const link = new URL((await ordered('people', 'reset-link', email)).trim());
    const [oobCode, password] = [link.searchParams.get('oobCode') ?? '', 'seven quiet mountains'];
    expect(link.origin).toBe(server.url);
    const reset = await visitor.call('POST /api/accounts/reset-password', { oobCode, password });
    expect(reset.result.ok).toBe(true);
    expect(await signIn(password)).toEqual({ ok: false, error: { code: 'auth/disabled' } });
    await ordered('people', 'enable', email);
    expect(await ordered('people', 'find', 'BERT')).toMatch(/ \d{2}:\d{2}\n$/);
    expect(await signIn(password)).toMatchObject({ ok: true, value: { status: 'signed-in' } });
  });

  test('an account is found by uid or address, however many newer accounts carry that in their names', async () => {
    const { uid } = memberAt(2).person;
    const address = await addressOf(memberAt(2));
    const database = openDatabase(url);
    for (let n = 0; n < 51; n += 1) {
      await insertUser(database.db, { name: n % 2 === 0 ? uid : address.slice(0, 50), nowMs: Date.now() + 60_000 + n });
      await insertUser(database.db, { name: n % 2 === 1 ? uid : address.slice(0, 50), nowMs: Date.now() + 60_000 + n });
    }
    await database.close();
    for (const named of [uid, address]) {
      const [, first = ''] = (await ordered('people', 'find', named)).split('\n');
      expect(first).toContain(uid);
      expect(await ordered('people', 'verify', named)).toContain('was verified already');
    }
  });

  test('an account is found by its address as a person writes it', async () => {
    const payload = { name: 'Vera', email: 'vera@bücher.example', password: goodPassword };
    const signedUp = await createHttpVisitor(server.url, server.url).call('POST /api/accounts/sign-up', payload);
    expect(signedUp.status).toBe(200);
    expect(await ordered('people', 'find', 'Vera@Bücher.example')).toContain('vera@xn--bcher-kva.example');
    expect(await ordered('people', 'verify', 'Vera@Bücher.example')).toContain(' is verified.');
  });

  test('a person is found by the plain letters of the name, in any order of its words', async () => {
    const database = openDatabase(url);
    for (const name of ['Björk Guðmundsdóttir', 'Søren Łoś', 'ÉMILE']) {
      await insertUser(database.db, { name, nowMs: Date.now() });
    }
    await database.close();
    expect(await ordered('people', 'find', 'gudmundsdottir bjork')).toContain('Björk Guðmundsdóttir');
    expect(await ordered('people', 'find', 'soren los')).toContain('Søren Łoś');
    expect(await ordered('people', 'find', 'émile')).toContain('ÉMILE');
    expect(await ordered('people', 'find', 'bjork los')).toBe('Nobody is found.\n');
  });

  test('a disabled person is signed out in every tab of a running server (ADMIN-2)', async () => {
    const member = memberAt(0);
    await ordered('people', 'disable', await addressOf(member));
    await expect.poll(() => member.line.connected).toBe(false);
    await expect(connect(server.url, member.person)).rejects.toThrow('auth/required');
  });

  test('the rooms of a disabled host end at once, and so do the person’s places in other rooms (ADMIN-8)', async () => {
    const [disabled, other] = [memberAt(3), memberAt(4)];
    const roomOf = async (host: Member, name: string) => {
      const { code } = await host.ask('rooms/create', { kind: 'audio', name, clientId: newClientId() });
      return { kind: 'audio', code } as const;
    };
    const [own, theirs] = [await roomOf(disabled, 'Mine'), await roomOf(other, 'Theirs')];
    for (const [host, guest, room] of [
      [disabled, other, own],
      [other, disabled, theirs],
    ] as const) {
      await guest.ask('rooms/askToJoin', room);
      await host.ask('rooms/acceptRequest', { ...room, uid: guest.person.uid });
    }
    const entered = await other.ask('rooms/enter', own);
    expectNotice('the room of a disabled host', other, isEndOf(entered.room));
    await ordered('people', 'disable', await addressOf(disabled));
    const { room } = await other.ask('rooms/enter', theirs);
    expect(room.participants.map(({ uid }) => uid)).toEqual([other.person.uid]);
    await ordered('rooms', 'end', theirs.code);
  });

  test('a deleted account is gone from the lists of others', async () => {
    const [member, other] = [memberAt(1), memberAt(2)];
    const database = openDatabase(url);
    const mate = { uid: other.person.uid, mate: member.person.uid, added_at_ms: 0, position: 1 };
    await database.db.insertInto('tunemates').values(mate).execute();
    await database.close();
    expectNotice('a deleted account', other, ({ type }) => type === 'tunemates/removed');
    const refused = await operate(['people', 'delete', member.person.uid], env);
    expect({ ...refused, said: refused.said.includes('--yes') }).toEqual({ exitCode: 1, said: true });
    await ordered('people', 'delete', member.person.uid, '--yes');
    expect(await ordered('people', 'find', member.person.uid)).toBe('Nobody is found.\n');
    await expect.poll(() => member.line.connected).toBe(false);
  });

  test('lists live rooms and ends one for everyone in it', async () => {
    const host = memberAt(2);
    const { code } = await host.ask('rooms/create', {
      kind: 'video',
      name: 'Łódź Evening',
      clientId: newClientId(),
    });
    const { room } = await host.ask('rooms/enter', { kind: 'video', code });
    expectNotice('a room that was ended', host, isEndOf(room));
    const list = await ordered('rooms', 'list');
    expect(list).toMatch(new RegExp(`\n${code} +video +Łódź Evening .*Listener 2 +1 +\\d{4}-`));
    expect(await ordered('rooms', 'list', 'lodz listener')).toBe(list);
    expect(await ordered('rooms', 'list', 'warsaw')).toBe('No live room contains warsaw.\n');
    await ordered('rooms', 'end', code.toLowerCase());
    expect(await ordered('rooms', 'list')).toBe('No room is live.\n');
    expect(await operate(['rooms', 'end', code], env)).toEqual({
      exitCode: 1,
      said: `No live room has the code ${code}.\n`,
    });
  });

  test('lists a report without anything that commands a terminal, and tells its reporter that it was read', async () => {
    const [reported, reporter] = [memberAt(0), memberAt(2)];
    const reason = 'Insults \u202E and more';
    const about = { type: 'person' } as const;
    await reporter.ask('reports/send', { clientId: newClientId(), uid: reported.person.uid, about, reason });
    const isAnswer = (change: Change) => change.type === 'notifications/added' && change.notification.type === 'report';
    expectNotice('the answer to a report', reporter, isAnswer);
    const list = await ordered('reports', 'list');
    expect(list).toContain('Insults \\u202e and more');
    expect(list).toContain(`${reporter.person.uid} reports ${reported.person.uid} (person)`);
    const [id = ''] = list.split(' ');
    expect(await ordered('reports', 'answer', id)).toBe('The reporter gets a notification that it was read.\n');
    expect(await ordered('reports', 'list')).toBe('No report waits.\n');
    // Once: a second answer notifies the reporter no more, and says so.
    expect(await ordered('reports', 'answer', id)).toBe('It was answered before.\n');
    expect(await ordered('reports', 'list', '--all')).toMatch(new RegExp(`^${id} .+  answered\n`));
    expect(await operate(['reports', 'answer', 'none'], env)).toEqual({
      exitCode: 1,
      said: 'There is no report none.\n',
    });
  });

  test('shows what a reported message says, in quotes on a line of its own', async () => {
    const [writer, reporter] = [memberAt(2), memberAt(4)];
    const { code } = await reporter.ask('rooms/create', { kind: 'audio', name: 'Words', clientId: newClientId() });
    const room = { kind: 'audio', code } as const;
    await writer.ask('rooms/askToJoin', room);
    await reporter.ask('rooms/acceptRequest', { ...room, uid: writer.person.uid });
    const text = 'a "quote" and a \\ stroke';
    const { message } = await writer.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text });
    const about = { type: 'roomMessage', ...room, messageId: message.id } as const;
    await reporter.ask('reports/send', { clientId: newClientId(), uid: writer.person.uid, about, reason: 'why' });
    const list = await ordered('reports', 'list');
    expect(list).toContain(` (room ${code})\n  said: ${JSON.stringify(text)}\n  reason: "why"\n`);
    await ordered('rooms', 'end', code);
  });

  test('says who may sign up, and makes, lists and ends links (SIGNUP-2)', async () => {
    const signUp = async (name: string, invitation?: string) => {
      const payload = { name, email: emailOf(name), password: goodPassword, ...(invitation && { invitation }) };
      return (await createHttpVisitor(server.url, server.url).call('POST /api/accounts/sign-up', payload)).result;
    };
    const needed = { ok: false, error: { code: 'auth/invitation-needed' } };
    expect(await ordered('sign-up')).toBe('Everybody can sign up.\n');
    expect(await ordered('sign-up', 'closed')).toBe('Nobody can sign up.\n');
    expect(await signUp('Cora')).toEqual({ ok: false, error: { code: 'auth/sign-up-closed' } });
    expect(await ordered('sign-up', 'invite')).toBe('Only people with an invitation link can sign up.\n');
    expect(await operate(['sign-up', 'friends'], env)).toEqual({
      exitCode: 1,
      said: 'friends is not one of open, invite, closed.\n',
    });
    expect(await signUp('Cora')).toEqual(needed);
    expect(await ordered('invite-link', 'list')).toBe('No invitation link works now.\n');
    const link = new URL((await ordered('invite-link', 'create', '--uses', '2', '--days', '3')).trim());
    expect(link.origin).toBe(server.url);
    const token = link.searchParams.get('invitation') ?? '';
    expect(await signUp('Cora', token)).toMatchObject({ ok: true });
    const [, line = ''] = (await ordered('invite-link', 'list')).split('\n');
    const [id = '', made = '', until = '', usesLeft] = line.split(/ {2,}/);
    expect(Date.parse(`${until}Z`) - Date.parse(`${made}Z`)).toBe(3 * 24 * 60 * 60 * 1000);
    expect(usesLeft).toBe('2');
    expect(await ordered('invite-link', 'end', id)).toBe(`The invitation link ${id} has ended.\n`);
    expect(await operate(['invite-link', 'end', id], env)).toEqual({
      exitCode: 1,
      said: `There is no invitation link ${id}.\n`,
    });
    expect(await signUp('Dora', token)).toEqual(needed);
    await ordered('sign-up', 'open');
  });

  test.each([
    ['--uses', '0', 1000],
    ['--uses', '1001', 1000],
    ['--uses', '1.5', 1000],
    ['--days', '366', 365],
    ['--days', 'many', 365],
  ])('a link with %s %s is refused: a whole number from 1 to %i', async (option, given, most) => {
    const { exitCode, said } = await operate(['invite-link', 'create', option, given], env);
    expect(exitCode).toBe(1);
    expect(said).toMatch(
      new RegExp(`^error: option '${option} <number>' argument '${given}' is invalid. .+ 1 to ${String(most)}\\.\n$`),
    );
    expect(await ordered('invite-link', 'list')).toBe('No invitation link works now.\n');
  });

  test('each order is in the log, with who gave it', async () => {
    const log = await ordered('log');
    for (const order of ['verify', 'disable', 'reset-link', 'enable', 'delete'])
      expect(log).toContain(`people ${order}`);
    expect(log).toContain('rooms end');
    // The newest first, so that the last order is looked up with one line.
    expect(await ordered('log', '-n', '1')).toMatch(
      /^time.+\n\d{4}-.+ sign-up +open\n\nRows 1 to 1 of \d+\. The next page: --page 2\n$/,
    );
  });

  test('every list says how many there are, and each of them is on a page (ADMIN-9)', async () => {
    const database = openDatabase(url);
    const { db } = database;
    const many = Array.from({ length: 510 }, (_each, n) => String(n).padStart(3, '0'));
    const crowd = many.map((n) => ({
      uid: `Crowd${n.padStart(17, '0')}` as Uid,
      name: `Crowd ${n}`,
      nowMs: Number(n),
    }));
    await insertUsers(db, crowd);
    for (const n of many) {
      const [host, code] = [crowd[0]?.uid ?? expect.fail('nobody'), (0xa00000 + Number(n)).toString(16).toUpperCase()];
      const kind = Number(n) % 2 === 0 ? ('video' as const) : ('audio' as const);
      const room = { kind, roomId: `many-${n}` as RoomId, code: code as RoomCode, name: `Many ${n}`, host };
      await insertRoom(db, { ...room, createdAtMs: Number(n) });
    }
    const note = operatorLog({ newId: () => randomUUID() } as never, 'ann');
    for (const n of many) await note(db, Number(n), `order ${n}`, 'nobody');
    await database.close();
    for (const [list, name] of [
      [['people', 'find', 'crowd'], /Crowd \d{3}/g],
      [['rooms', 'list', 'many'], /Many \d{3}/g],
      [['log'], /order \d{3}/g],
    ] as const) {
      const seen = new Set<string>();
      let said = '';
      for (let page = 1; !said.startsWith('There is no page'); page += 1) {
        said = await ordered(...list, '--page', String(page));
        for (const [found] of said.matchAll(name)) seen.add(found);
        if (page === 1) expect(said).toMatch(/\n\nRows 1 to 50 of 5[1-9]\d\. The next page: --page 2\n$/);
      }
      expect(seen.size).toBe(510);
      expect(said).toMatch(/^There is no page 1[12]\. The last is 1[01]\.\n$/);
    }
    expect(await ordered('rooms', 'list', 'many 509')).not.toContain('Rows');
  });

  test('an order about an unknown person is one line and exit code 1', async () => {
    const { exitCode, said } = await operateProgram(['people', 'disable', 'nobody@example.org'], env);
    expect({ exitCode, said }).toEqual({
      exitCode: 1,
      said: expect.stringMatching(/^Nobody has the uid or address [^\n]+\n$/) as string,
    });
    expect(await operate(['people', 'dance'], env)).toEqual({
      exitCode: 1,
      said: "error: unknown command 'dance'\n",
    });
    expect(await operate(['rooms', '--help'], env)).toMatchObject({ exitCode: 0 });
  });

  test('the running server notices each of these by itself, and sends it to the pages', async () => {
    expect(notices).toHaveLength(4);
    const late = () => notices.flatMap(({ what, hasCome }) => (hasCome ? [] : [what]));
    await expect.poll(late).toEqual([]);
  });
});
