/** Listens from the outside: people in rooms on real sockets, and a stand-in for ListenBrainz on this machine. */
import type { NamedTrack, RoomKind, VideoId } from '@tunemate/protocol';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { probeSettledSpacingMs } from '@tunemate/playback';
import { lookEveryMs } from '@tunemate/domain';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { type FakeListenbrainz, sendJson, startFakeListenbrainz } from '@tunemate/testkit/fakes/fake-listenbrainz';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { goodPassword } from '@tunemate/testkit/worlds/test-app';
import { listenbrainz } from './listenbrainz.ts';

/** Players in step say so more often. */
const stepMs = 10_000;
const dayMs = 24 * 60 * 60_000;

describeEachDialect('listens', (makeDatabaseUrl) => {
  let w: SocketWorld;
  let other: SocketWorld;
  let server: FakeListenbrainz;
  const statements: string[] = [];
  let onStatement: (statement: string) => void = () => undefined;
  beforeAll(async () => {
    server = await startFakeListenbrainz();
    const databaseUrl = await makeDatabaseUrl();
    const env = { LISTENBRAINZ_URL: `${server.url}/` };
    w = await openSocketWorld({
      ...{ databaseUrl, env },
      onStatement(statement) {
        statements.push(statement);
        onStatement(statement);
      },
    });
    other = await openSocketWorld({ databaseUrl, env, clock: w.clock });
  });
  afterAll(async () => {
    await other.close();
    await w.close();
    await server.close();
  });
  beforeEach(() => {
    server.answer = () => false;
    server.calls.length = 0;
    onStatement = () => undefined;
  });

  const browserOf = (person: Person, at = w) => {
    const visitor = at.app.visitor();
    visitor.setCookie(person.cookie);
    return visitor;
  };
  const stateOf = async (person: Person) => valueOf((await browserOf(person).call('GET /api/listens', {})).result);
  const enter = async (person: Person, token: string, at = w) =>
    (await browserOf(person, at).send('POST /api/listens/connect', { token })).result;
  let people = 0;
  /** A new person whose listens are sent, and their token. */
  async function listener(name = 'Mara', at = w) {
    people += 1;
    const token = `token-${String(people)}`;
    server.accounts.set(token, `${name}-there`);
    const tab = await at.arrive(name);
    expect(await enter(tab, token, at)).toMatchObject({ ok: true, value: { outcome: 'connected' } });
    return { tab, token };
  }
  const sentWith = (token: string) => server.calls.filter((call) => call.token === token && call.kind !== null);
  const titlesOf = (token: string) =>
    sentWith(token).flatMap(({ kind, payload }) =>
      payload.map(({ track_metadata: track }) => `${String(kind)}: ${track.track_name}`),
    );
  const waiting = async ({ uid }: Person) =>
    (await w.db.selectFrom('listens').select('title').where('uid', '=', uid).execute()).map(({ title }) => title);

  /** A room where the host plays this. */
  async function play(host: Tab, track: NamedTrack, kind: RoomKind = 'audio', ...guests: Tab[]): Promise<Room> {
    const { room } = await w.roomWith(host, kind, ...guests);
    valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
    await choose(host, room, track);
    return room;
  }
  async function choose(host: Tab, room: Room, track: NamedTrack): Promise<void> {
    const intent = { type: 'choose', track } as const;
    valueOf(await host.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent }));
  }
  async function sample(nth = 0): Promise<NamedTrack & { durationSeconds: number }> {
    const host = await w.arrive('Finder');
    const room = await w.room(host, 'audio');
    valueOf(await host.ask('rooms/enter', room));
    const { items } = valueOf(await host.ask('catalogue/suggest', { ...room, videoId: null }));
    const { videoId, title, durationSeconds } = items[nth] ?? expect.fail('the library is empty');
    return { videoId, title, durationSeconds: durationSeconds ?? expect.fail('of no length') };
  }
  /** The tabs' players are in step for so long. */
  async function hear(forMs: number, ...tabs: Tab[]): Promise<void> {
    for (let ms = 0; ms <= forMs; ms += stepMs) {
      for (const tab of tabs) valueOf(await tab.ask('clock/probe', { driftMs: 3 }));
      await w.pass(ms === 0 ? 0 : stepMs);
    }
  }
  const half = ({ durationSeconds }: { durationSeconds: number }) =>
    Math.ceil((durationSeconds * 500) / stepMs) * stepMs + stepMs;

  test('a track is sent as playing now, and as a listen once half of it was heard; guests without a token send nothing', async () => {
    const [{ tab: mara, token }, ivo] = [await listener(), await w.arrive('Ivo')];
    const track = await sample();
    await play(mara, track, 'audio', ivo);
    await hear(0, mara, ivo);
    await expect.poll(() => titlesOf(token).length).toBe(1);
    await hear(half(track), mara, ivo);
    const [now, listen, ...more] = sentWith(token);
    expect(more).toEqual([]);
    const artist = track.title.split(' – ')[1];
    expect(now).toMatchObject({ kind: 'playing_now', payload: [{ track_metadata: { artist_name: artist } }] });
    expect(now?.payload[0]).not.toHaveProperty('listened_at');
    expect(listen).toMatchObject({
      kind: 'single',
      payload: [
        {
          track_metadata: {
            artist_name: artist,
            track_name: track.title.split(' – ')[0],
            additional_info: { media_player: 'Tunemate', submission_client: 'Tunemate' },
          },
        },
      ],
    });
    expect(await waiting(mara)).toEqual([]);
    expect(server.calls.filter((call) => call.kind !== null && call.token !== token)).toEqual([]);
  });

  test('nothing is sent of a track that was left early, of one whose player is not in step, or of a video without an artist', async () => {
    const [{ tab: mara, token }, { tab: ivo, token: ivos }] = [await listener(), await listener('Ivo')];
    const track = await sample();
    const room = await play(mara, track, 'audio', ivo);
    await hear(stepMs, mara);
    const video = { videoId: 'dQw4w9WgXcQ' as VideoId, durationSeconds: 60 };
    const keep = async (id: string, answer: unknown) =>
      await w.db
        .insertInto('catalogue_cache')
        .values({ key: id, answer: JSON.stringify(answer), at_ms: w.clock.now() })
        .execute();
    await keep('title:dQw4w9WgXcQ', 'My cat plays the piano');
    await keep('title:dQw4w9WgXcR', 'Nina Simone - Sinnerman (Official Audio)');
    await choose(mara, room, { ...video, title: 'My cat plays the piano' });
    await hear(60_000, mara);
    await choose(mara, room, {
      ...video,
      videoId: 'dQw4w9WgXcR' as VideoId,
      title: 'Some Band - Words of the host',
    });
    await hear(50_000, mara);
    // What the server has read nowhere is in no person's profile, whatever the host calls it.
    await choose(mara, room, { ...video, videoId: 'dQw4w9WgXcS' as VideoId, title: 'Some Band - Guest loves this' });
    await hear(50_000, mara);
    await expect
      .poll(() => titlesOf(token))
      .toEqual([`playing_now: ${track.title.split(' – ')[0] ?? ''}`, 'playing_now: Sinnerman', 'single: Sinnerman']);
    expect(titlesOf(ivos)).toEqual([]);
  });

  test('a track counts for a person whose page probes as rarely as it ever does', async () => {
    const { tab: mara, token } = await listener();
    const track = await sample();
    await play(mara, track);
    for (let ms = 0; ms <= track.durationSeconds * 500 + 2 * lookEveryMs; ms += lookEveryMs) {
      if (ms % probeSettledSpacingMs === 0) valueOf(await mara.ask('clock/probe', { roundTripMs: 20, driftMs: 3 }));
      await w.pass(lookEveryMs);
    }
    expect(titlesOf(token).filter((each) => each.startsWith('single'))).toHaveLength(1);
  });

  test('a person whose player stops being in step hears no more from the next probe on', async () => {
    const { tab: mara, token } = await listener();
    const track = await sample();
    await play(mara, track);
    valueOf(await mara.ask('clock/probe', { roundTripMs: 20, driftMs: 3 }));
    await w.pass(lookEveryMs);
    valueOf(await mara.ask('clock/probe', { roundTripMs: 20 }));
    for (let ms = 0; ms <= probeSettledSpacingMs; ms += lookEveryMs) await w.pass(lookEveryMs);
    const heard = await w.db.selectFrom('listens_heard').select('heard_ms').where('uid', '=', mara.uid).execute();
    expect(heard).toHaveLength(1);
    expect(heard[0]?.heard_ms).toBeLessThanOrEqual(lookEveryMs);
    expect(titlesOf(token).filter((each) => each.startsWith('single'))).toEqual([]);
  });

  test('a room of people without a token costs no statement', async () => {
    const [ann, bea] = [await w.arrive('Ann'), await w.arrive('Bea')];
    await play(ann, await sample(), 'audio', bea);
    await hear(2 * stepMs, ann, bea);
    statements.length = 0;
    await hear(3 * stepMs, ann, bea);
    expect(statements.filter((each) => each.includes('listens_heard'))).toEqual([]);
    expect(statements.filter((each) => each.includes('queue_items'))).toEqual([]);
  });

  test('what is heard is counted to the moment of the look, however long that takes', async () => {
    const { tab: mara } = await listener();
    await play(mara, await sample());
    await hear(3 * stepMs, mara);
    const heardMs = async () =>
      (await w.db.selectFrom('listens_heard').select('heard_ms').where('uid', '=', mara.uid).executeTakeFirstOrThrow())
        .heard_ms;
    const before = await heardMs();
    let latestMs = 0;
    onStatement = (statement) => {
      if (!statement.startsWith('select distinct "uid", "room"') || latestMs > 0) return;
      latestMs = lookEveryMs;
      w.clock.advance(latestMs);
    };
    await w.pass(0);
    expect([latestMs, await heardMs()]).toEqual([lookEveryMs, before]);
  });

  test('listens of a server that fails wait, and are sent together once it answers', async () => {
    const { tab: mara, token } = await listener();
    const [first, second] = [await sample(0), await sample(1)];
    server.answer = ({ kind }, response) =>
      kind !== null && kind !== 'playing_now' && (sendJson(response, 503, {}), true);
    const room = await play(mara, first);
    await hear(half(first), mara);
    await choose(mara, room, second);
    await hear(half(second), mara);
    expect(await waiting(mara)).toHaveLength(2);
    expect(await stateOf(mara)).toMatchObject({
      status: 'connected',
      name: 'Mara-there',
      waiting: 2,
      isRefused: false,
    });
    server.answer = () => false;
    server.calls.length = 0;
    await w.pass(60 * 60_000);
    expect(sentWith(token).map(({ kind, payload }) => [kind, payload.length])).toEqual([['import', 2]]);
    expect(await waiting(mara)).toEqual([]);
  });

  /** Listens that wait, without a room. */
  async function queue({ uid }: Person, ...titles: string[]): Promise<void> {
    const rows = titles.map((title, n) => ({ uid, title, listened_at_ms: w.clock.now() - 60_000 * (n + 1) }));
    await w.db
      .insertInto('listens')
      .values(rows.map((row) => ({ ...row, artist: 'A', album: null, duration_ms: 1000 })))
      .execute();
  }

  test('two processes send each listen once', async () => {
    const { tab: mara, token } = await listener();
    await enter(mara, token, other);
    await queue(mara, 'One', 'Two', 'Three');
    await Promise.all([w.pass(0), other.pass(0), w.pass(0), other.pass(0)]);
    expect(titlesOf(token).sort()).toEqual(['import: One', 'import: Three', 'import: Two']);
  });

  test('two tabs on two processes are one listener', async () => {
    const { tab: mara, token } = await listener();
    await enter(mara, token, other);
    const track = await sample();
    const room = await play(mara, track);
    const second = await other.connect(mara);
    valueOf(await second.ask('rooms/enter', room));
    for (let ms = 0; ms <= half(track); ms += stepMs) {
      for (const tab of [mara, second]) valueOf(await tab.ask('clock/probe', { driftMs: 3 }));
      w.clock.advance(stepMs);
      await Promise.all([w.pass(0), other.pass(0)]);
    }
    await w.pass(0);
    expect(titlesOf(token).filter((each) => !each.startsWith('playing_now'))).toHaveLength(1);
    expect(titlesOf(token).filter((each) => each.startsWith('playing_now'))).toHaveLength(1);
  });

  test('a token that is refused is not used again until another is entered, and what waits is kept for it', async () => {
    const { tab: mara, token } = await listener();
    server.accounts.delete(token);
    await queue(mara, 'One');
    await w.pass(0);
    expect(await stateOf(mara)).toMatchObject({ isRefused: true, waiting: 1 });
    server.calls.length = 0;
    await w.pass(60 * 60_000);
    expect(sentWith(token)).toEqual([]);
    server.accounts.set('token-new', 'Mara-there');
    await enter(mara, 'token-new');
    await w.pass(0);
    expect(titlesOf('token-new')).toEqual(['single: One']);
    expect(await stateOf(mara)).toMatchObject({ isRefused: false, waiting: 0 });
  });

  test('a limit of the server is kept: nothing is sent before it says', async () => {
    const { tab: mara, token } = await listener();
    server.answer = (_call, response) => {
      response.writeHead(429, { 'x-ratelimit-reset-in': '30' }).end();
      return true;
    };
    await queue(mara, 'One');
    await w.pass(0);
    server.answer = () => false;
    server.calls.length = 0;
    await w.pass(29_000);
    expect(sentWith(token)).toEqual([]);
    await w.pass(1000);
    expect(titlesOf(token)).toEqual(['single: One']);
  });

  test('one listen that the server refuses for good holds up no other', async () => {
    const { tab: mara, token } = await listener();
    server.answer = ({ payload }, response) => {
      const isUnfit = payload.some(({ track_metadata: { track_name: title } }) => title === 'Bad');
      if (isUnfit) sendJson(response, 400, { code: 400 });
      return isUnfit;
    };
    await queue(mara, 'One', 'Bad', 'Two');
    await w.pass(0);
    expect(await waiting(mara)).toEqual([]);
    expect(titlesOf(token).filter((each) => each.startsWith('single'))).toEqual([
      'single: Two',
      'single: Bad',
      'single: One',
    ]);
  });

  test('of one person at most 500 wait, and none longer than 14 days', async () => {
    const { tab: mara } = await listener();
    server.answer = (_call, response) => (sendJson(response, 500, {}), true);
    await queue(mara, ...Array.from({ length: 501 }, (_, n) => `Track ${String(n)}`));
    const track = await sample();
    await play(mara, track);
    await hear(half(track), mara);
    expect(await waiting(mara)).toHaveLength(500);
    await w.pass(15 * dayMs);
    expect(await waiting(mara)).toEqual([]);
  });

  test.each(['', 'a b', 'a\nb', 'a\r\nX-Other: 1', 'ü', 'x'.repeat(201), 7, null])(
    'the token %j is refused without a request to ListenBrainz',
    async (token) => {
      const mara = await w.arrive('Mara');
      const { result } = await browserOf(mara).send('POST /api/listens/connect', { token });
      expect(result).toMatchObject({ ok: false, error: { code: 'input/invalid' } });
      expect(server.calls).toEqual([]);
    },
  );

  test.each<[string, string, FakeListenbrainz['answer']]>([
    ['says that it is none', 'refused', (_, response) => (sendJson(response, 200, { code: 200, valid: false }), true)],
    ['fails', 'unreachable', (_, response) => (sendJson(response, 500, {}), true)],
    ['sends no JSON', 'unreachable', (_, response) => (response.end('<html>'), true)],
    ['sends a shape of its own', 'unreachable', (_, response) => (sendJson(response, 200, { valid: 'yes' }), true)],
    [
      'sends without an end',
      'unreachable',
      (_, response) => {
        const more = (): void => void (response.destroyed || response.write('x'.repeat(65_536), more));
        more();
        return true;
      },
    ],
    [
      'leads elsewhere',
      'unreachable',
      (_, response) => {
        response.writeHead(302, { location: `${server.url}/elsewhere` }).end();
        return true;
      },
    ],
    ['breaks off', 'unreachable', (_, response) => (response.destroy(), true)],
  ])('a server that %s connects no account', async (_what, outcome, answer) => {
    const mara = await w.arrive('Mara');
    server.answer = answer;
    expect(await enter(mara, 'some-token')).toMatchObject({
      ok: true,
      value: { outcome, state: { status: 'disconnected' } },
    });
    expect(server.calls).toHaveLength(1);
  });

  test('the name of the account is cut, and shown without control characters', async () => {
    const mara = await w.arrive('Mara');
    server.answer = (_, response) => (
      sendJson(response, 200, { valid: true, user_name: `\u202Ea\n${'b'.repeat(200)}` }),
      true
    );
    await enter(mara, 'some-token');
    expect(await stateOf(mara)).toMatchObject({ name: `a${'b'.repeat(99)}` });
  });

  test('no answer, export and log line holds the token, and deleting the account deletes it with what waits', async () => {
    const name = `Leaver${String(people)}`;
    const visitor = await w.app.member(name);
    server.accounts.set('a-secret-of-Leaver', 'Leaver-there');
    const said = [
      JSON.stringify((await visitor.call('POST /api/listens/connect', { token: 'a-secret-of-Leaver' })).result),
    ];
    const { uid } = await w.db.selectFrom('users').select('uid').where('name', '=', name).executeTakeFirstOrThrow();
    server.answer = (_, response) => (sendJson(response, 500, { error: 'a-secret-of-Leaver' }), true);
    await queue({ uid } as Person, 'One');
    await w.pass(0);
    said.push(JSON.stringify((await visitor.call('GET /api/listens', {})).result));
    const exported = await (await visitor.fetch('/api/accounts/export')).text();
    expect(JSON.parse(exported)).toMatchObject({ listens: { name: 'Leaver-there', waiting: [{ title: 'One' }] } });
    said.push(exported, w.app.log.map(({ fields, event }) => event + printed(fields)).join('\n'));
    expect(said.join('\n')).toContain('listens.delayed');
    expect(said.join('\n')).not.toContain('a-secret-of-Leaver');
    valueOf((await visitor.call('POST /api/accounts/delete', { password: goodPassword })).result);
    for (const table of ['listens_accounts', 'listens_tokens', 'listens_heard', 'listens'] as const) {
      expect(await w.db.selectFrom(table).select('uid').where('uid', '=', uid).execute()).toEqual([]);
    }
  });

  test('a person disconnects: the token and what waits are deleted, those of others stay', async () => {
    const [{ tab: mara }, { tab: ivo }] = [await listener(), await listener('Ivo')];
    server.answer = (_, response) => (sendJson(response, 500, {}), true);
    await queue(mara, 'One');
    await queue(ivo, 'Two');
    expect(valueOf((await browserOf(mara).call('POST /api/listens/disconnect', {})).result)).toEqual({
      status: 'disconnected',
      server: new URL(server.url).host,
    });
    expect([await waiting(mara), await waiting(ivo)]).toEqual([[], ['Two']]);
    expect(await stateOf(ivo)).toMatchObject({ status: 'connected', waiting: 1 });
  });

  test('where the operator switched it off no account connects, and entering many tokens has a limit', async () => {
    const off = await openSocketWorld({ env: { LISTENBRAINZ_URL: 'off', RATE_LIMIT_SCALE: '1' } });
    onTestFinished(() => off.close());
    const mara = await off.person('Mara');
    const browser = browserOf(mara, off);
    expect(valueOf((await browser.call('GET /api/listens', {})).result)).toEqual({ status: 'off' });
    const codes: string[] = [];
    for (let n = 0; n < 21; n += 1) {
      const { result } = await browser.send('POST /api/listens/connect', { token: 'x' });
      codes.push(result.ok ? 'ok' : result.error.code);
    }
    expect(codes).toEqual([...Array.from({ length: 20 }, () => 'access/not-found'), 'limit/too-many']);
  });
});

/** With what errors carry. */
const printed = (fields: object): string =>
  Object.values(fields)
    .map((each: unknown) =>
      each instanceof Error ? `${each.message} ${each.stack ?? ''} ${JSON.stringify(each)}` : JSON.stringify(each),
    )
    .join(' ');

test('the public service is not looked for in a private network', async () => {
  const client = listenbrainz({ url: 'https://localhost', isOperators: false }, '1');
  await expect(client.validate('x')).rejects.toThrow('the name has no address');
});
