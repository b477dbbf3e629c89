/** Saved queues as files, over HTTP: sent and read back, what other players write, and files made to do harm. */
import { randomBytes } from 'node:crypto';
import {
  limits,
  queueFileBytes,
  type NamedTrack,
  type QueueFromFile,
  type Result,
  type RoomKind,
} from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { createDatabase } from '@tunemate/testkit/services/postgres';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { goodPassword } from '@tunemate/testkit/worlds/test-app';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { libraryId } from '../library/library-item.ts';

const kitchen = libraryId('media/sunday-kitchen.mp3');
const refused = (status: number, code: string) => ({ status, body: { ok: false, error: { code } } });

let world: SocketWorld;
beforeAll(async () => {
  world = await openSocketWorld();
});
afterAll(() => world.close());

const visitorOf = (who: Person, of = world) => {
  const visitor = of.app.visitor();
  visitor.setCookie(who.cookie);
  return visitor;
};
interface Sent {
  kind?: RoomKind;
  name?: string;
  clientId?: string;
  headers?: object;
}
async function send(who: Person, body: string | Uint8Array<ArrayBuffer>, sent: Sent = {}, of = world) {
  const { kind = 'audio', name = 'From a file', clientId = newClientId(), headers = {} } = sent;
  const answer = await visitorOf(who, of).fetch(
    `/api/queues/m3u8?${new URLSearchParams({ kind, name, clientId }).toString()}`,
    {
      method: 'POST',
      headers: { origin: of.app.url, 'content-type': 'audio/x-mpegurl', ...headers },
      body,
    },
  );
  return { status: answer.status, body: (await answer.json()) as unknown };
}
const read = async (who: Person, body: string | Uint8Array<ArrayBuffer>, sent?: Sent) =>
  valueOf((await send(who, body, sent)).body as Result<QueueFromFile>);
const list = async (who: Tab) => valueOf(await who.ask('queues/list', {})).queues;
const fetchFile = (who: Person, queueId: string) => visitorOf(who).fetch(`/api/queues/${queueId}/m3u8`);
const tracksOf = async (who: Tab, queueId = ''): Promise<readonly NamedTrack[]> =>
  valueOf(await who.ask('queues/read', { queueId })).tracks;

describe('a saved queue as a file', () => {
  test('is sent to its owner, and read back as the same queue (PLIST-2)', async () => {
    const mara = await world.arrive('Mara');
    const [, other] = valueOf(
      await mara.ask('library/tracks', { ...(await world.room(mara, 'audio')), view: { type: 'newest' }, from: 0 }),
    ).tracks;
    const file = `#EXTM3U\n#EXTINF:213,A video\nhttps://youtu.be/dQw4w9WgXcQ?t=42\n/library/x\n${world.app.url}/library/${kitchen}\nhttps://elsewhere.example/library/${other?.videoId ?? ''}\n`;
    expect(await read(mara, file, { name: 'Sünday "slow", <b>' })).toEqual({
      outcome: 'saved',
      found: 3,
      missing: ['x'],
    });
    const [first] = await list(mara);
    expect(first).toMatchObject({ name: 'Sünday "slow", <b>', kind: 'audio', tracks: 3, owner: null });
    const answer = await fetchFile(mara, first?.queueId ?? '');
    const text = await answer.text();
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'audio/x-mpegurl; charset=utf-8',
      'content-disposition': `attachment; filename="S_nday _slow_, _b_.m3u8"; filename*=UTF-8''S%C3%BCnday%20%22slow%22%2C%20%3Cb%3E.m3u8`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect(text.split('\n').slice(0, 4)).toEqual([
      '#EXTM3U',
      '#PLAYLIST:Sünday "slow", <b>',
      '#EXTINF:213,A video',
      'https://youtu.be/dQw4w9WgXcQ?t=42',
    ]);
    expect(text).toContain(`${world.app.url}/library/${kitchen}`);
    expect(await read(mara, text, { name: 'Again' })).toEqual({ outcome: 'saved', found: 3, missing: [] });
    const again = (await list(mara)).find(({ name }) => name === 'Again');
    expect(await tracksOf(mara, again?.queueId)).toEqual(await tracksOf(mara, first?.queueId));
  });

  test('is sent to no other user, and the answer is that of a queue that does not exist (PLIST-2)', async () => {
    const [mara, eve] = [await world.arrive('Mara'), await world.person('Eve')];
    await read(mara, `${world.app.url}/library/${kitchen}`);
    const [queue] = await list(mara);
    const [theirs, none] = [await fetchFile(eve, queue?.queueId ?? ''), await fetchFile(eve, 'none')];
    expect([theirs.status, await theirs.text()]).toEqual([404, await none.text()]);
    expect((await fetchFile(mara, encodeURIComponent('../../media'))).status).toBe(404);
    expect((await world.app.visitor().fetch(`/api/queues/${queue?.queueId ?? ''}/m3u8`)).status).toBe(401);
  });
});

describe('a shared queue as a file', () => {
  /** People of a test have no password, so it gets that of a member. */
  async function deleteAccount(who: Person): Promise<void> {
    await world.app.member('Keyed');
    const password = world.db.selectFrom('users').select('password_hash').where('name', '=', 'Keyed').limit(1);
    await world.db.updateTable('users').set({ password_hash: password }).where('uid', '=', who.uid).execute();
    valueOf((await visitorOf(who).call('POST /api/accounts/delete', { password: goodPassword })).result);
  }

  /** A queue of Mara's that her tunemate Ivo reads. */
  async function shared() {
    const [mara, ivo] = [await world.arrive('Mara'), await world.arrive('Ivo')];
    // Which makes them tunemates.
    const { room } = await world.roomWith(mara, 'audio', ivo);
    await read(mara, `${world.app.url}/library/${kitchen}`, { name: 'Ours' });
    const [queue] = await list(mara);
    const queueId = queue?.queueId ?? '';
    valueOf(await mara.ask('queues/share', { queueId, uid: ivo.uid, isOn: true }));
    expect(await (await fetchFile(ivo, queueId)).text()).toContain('#PLAYLIST:Ours');
    return { mara, ivo, queueId, room };
  }

  test.each<[string, (of: Awaited<ReturnType<typeof shared>>) => Promise<unknown>]>([
    ['ends sharing', ({ mara, ivo, queueId }) => mara.ask('queues/share', { queueId, uid: ivo.uid, isOn: false })],
    ['blocks the reader', ({ mara, ivo }) => mara.ask('chats/block', { uid: ivo.uid, isBlocked: true })],
    ['is blocked by the reader', ({ mara, ivo }) => ivo.ask('chats/block', { uid: mara.uid, isBlocked: true })],
    ['is no tunemate any more', ({ mara, ivo }) => mara.ask('tunemates/remove', { uid: ivo.uid })],
    ['deletes the queue', ({ mara, queueId }) => mara.ask('queues/delete', { queueId })],
    ['deletes the account', ({ mara }) => deleteAccount(mara)],
  ])('is sent to a tunemate until the owner %s (PLIST-2)', async (_what, end) => {
    const of = await shared();
    await end(of);
    expect((await fetchFile(of.ivo, of.queueId)).status).toBe(404);
    expect(await list(of.ivo)).toEqual([]);
  });
});

describe('a file of another player', () => {
  const title = 'Sunday Kitchen';
  const byName = (text: string) => `#EXTM3U\r\n#EXTINF:1,${text}\r\nD:\\Musik\\Ä\\1.mp3\r\n`;

  test.each<[string, (text: string) => Uint8Array<ArrayBuffer>]>([
    ['UTF-8', (text) => new TextEncoder().encode(text)],
    ['UTF-8 with its mark', (text) => new TextEncoder().encode(`\uFEFF${text}`)],
    ['Western', (text) => new Uint8Array(Buffer.from(text, 'latin1'))],
    ['UTF-16', (text) => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'))],
  ])('is read in %s, and says what is not here', async (_encoding, encoded) => {
    const mara = await world.arrive('Mara');
    const text = `${byName(`Lena Vogt Septet - ${title}`)}#EXTINF:9,Café - Müller\r\nx.mp3\r\n`;
    expect(await read(mara, encoded(text))).toEqual({ outcome: 'saved', found: 1, missing: ['Café - Müller'] });
    expect((await tracksOf(mara, (await list(mara))[0]?.queueId)).map(({ videoId }) => videoId)).toEqual([kitchen]);
  });

  test('is read once for one client id, and not by a person who has fifty queues', async () => {
    const mara = await world.arrive('Mara');
    const [file, clientId] = [`/library\n${world.app.url}/library/${kitchen}`, newClientId()];
    for (const _twice of [1, 2])
      expect(await read(mara, file, { clientId })).toMatchObject({ outcome: 'saved', found: 1 });
    expect(await list(mara)).toHaveLength(1);
    expect(
      await send(mara, `${world.app.url}/library/${kitchen}\n${world.app.url}/library/${kitchen}`, { clientId }),
    ).toEqual(refused(409, 'input/conflict'));
    while ((await list(mara)).length < limits.savedQueues) await read(mara, file);
    expect(await read(mara, file)).toMatchObject({ outcome: 'full' });
  });
});

describe('a hostile file', () => {
  const nothing = { outcome: 'nothing', found: 0 };

  test.each([
    ['100,000 lines', 'a\n'.repeat(100_000), { outcome: 'too-many', found: 0, missing: [] }],
    ['comments alone', '#\n'.repeat(100_000), { ...nothing, missing: [] }],
    ['one line of 200 kB', 'x'.repeat(queueFileBytes), nothing],
    ['nothing', ' ', { ...nothing, missing: [] }],
    ['zeros', '\0'.repeat(1000), nothing],
    ['paths of this machine', '/etc/passwd\nfile:///etc/shadow\n../../../../data/tunemate.sqlite', nothing],
    [
      'addresses inside a network',
      'http://127.0.0.1:22/x.mp3\nhttps://169.254.169.254/a.mp4\nhttps://[::1]/b.mp4',
      nothing,
    ],
    [
      'ids that are none',
      '/library/lib_0000000000000000\nhttps://x/library/lib_../../etc\nlink:https://evil.example/a.mp4',
      nothing,
    ],
    [
      'addresses with accounts, schemes of pages, and lists inside of lists',
      'https://ann:secret@films.example/a.mp4\njavascript:alert(1)//.mp4\ndata:audio/mpeg;base64,AAAA\nother.m3u8\nhttps://x.example/live.m3u8\n#EXT-X-MEDIA:URI="http://127.0.0.1/x"',
      nothing,
    ],
    ['returns in the middle of lines', 'a.mp3\r\rb.mp3\u2028c.mp3\u0085d\vx.mp3\0', nothing],
    ['a web page', '<html><script>alert(1)</script></html>', nothing],
  ])('of %s is stored nowhere (PLIST-1)', async (_what, file, expected) => {
    const mara = await world.arrive('Mara');
    expect(await read(mara, file)).toMatchObject(expected);
    expect(await list(mara)).toEqual([]);
  });

  test.each<[string, Uint8Array<ArrayBuffer>]>([
    ['a program', new Uint8Array(randomBytes(queueFileBytes))],
    [
      'half of a letter of UTF-16',
      new Uint8Array(Buffer.concat([Buffer.from('\uFEFFa\nb', 'utf16le'), Buffer.of(0xd8)])),
    ],
    ['UTF-16 from its other end', new Uint8Array(Buffer.from('\uFEFFa\r\nb', 'utf16le').swap16())],
    ['UTF-16 without its mark', new Uint8Array(Buffer.from('a\r\nb\r\n', 'utf16le'))],
    ['halves of pairs', new Uint8Array(Buffer.from('\uFEFF\uD800\uDFFF\uDC00\n\uD83D', 'utf16le'))],
    ['letters of UTF-8 that are none', new Uint8Array([0xef, 0xbb, 0xbf, 0xc0, 0xaf, 0x0a, 0xf8, 0x88, 0xff, 0x0a])],
  ])('of the bytes of %s is stored nowhere (PLIST-1)', async (_what, bytes) => {
    const mara = await world.arrive('Mara');
    const { outcome, missing } = await read(mara, bytes);
    expect(['nothing', 'too-many']).toContain(outcome);
    for (const name of missing) {
      expect(name.length).toBeLessThanOrEqual(200);
      expect(name).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e]/u);
    }
    expect(await list(mara)).toEqual([]);
  });

  test('has its words stored nowhere but in the title of a video, as plain text (PLIST-1)', async () => {
    const mara = await world.arrive('Mara');
    const secret = 'correct horse battery';
    const file = `# ${secret}\n#EXTINF:1,${secret}\n${secret}.mp3\n#EXTINF:1,<i>\u202eA\u200b</i>\nhttps://youtu.be/dQw4w9WgXcQ\n`;
    expect(await read(mara, file, { kind: 'video' })).toEqual({ outcome: 'saved', found: 1, missing: [secret] });
    const rows = await world.db.selectFrom('saved_queues').selectAll().where('uid', '=', mara.uid).execute();
    const answers = await world.db.selectFrom('idempotency').selectAll().where('uid', '=', mara.uid).execute();
    expect(JSON.stringify([rows, answers])).not.toContain('horse');
    expect(JSON.stringify(rows)).toContain('<i>A</i>');
  });

  test('is refused from another site, of another type, of more than 200 kB, and without a name or a kind', async () => {
    const mara = await world.person('Mara');
    expect(await send(mara, 'a', { headers: { origin: 'https://evil.example' } })).toEqual(
      refused(403, 'access/cross-site'),
    );
    for (const type of ['text/plain', 'text/html', 'application/octet-stream', 'multipart/form-data; boundary=x'])
      expect(await send(mara, 'a', { headers: { 'content-type': type } })).toEqual(refused(415, 'input/unsupported'));
    expect(await send(mara, 'x'.repeat(queueFileBytes + 1))).toEqual(refused(413, 'input/too-large'));
    for (const sent of [{ name: '\u200b' }, { name: 'x'.repeat(61) }, { kind: 'radio' as RoomKind }, { clientId: 'x' }])
      expect(await send(mara, 'a', sent)).toEqual(refused(422, 'input/invalid'));
  });

  test('is not read again and again: ten at once, and then one every six seconds', async () => {
    const strict = await openSocketWorld({ env: { RATE_LIMIT_SCALE: '1' } });
    try {
      const mara = await strict.person('Mara');
      const answers: number[] = [];
      for (let count = 0; count < 11; count += 1) answers.push((await send(mara, 'a', {}, strict)).status);
      expect(answers.filter((status) => status === 200)).toHaveLength(10);
      expect(answers.at(-1)).toBe(429);
    } finally {
      await strict.close();
    }
  });
});

describeWithService(
  'on PostgreSQL',
  () => requestService('postgres'),
  ({ url }) => {
    test('a queue that no address can name is not there', async () => {
      const database = await createDatabase(url);
      const of = await openSocketWorld({ databaseUrl: database.url });
      try {
        const mara = await of.person('Mara');
        for (const id of ['%00', 'a%00b', '%F0%9F%8E%B5', '%ED%A0%80', 'x'.repeat(250)])
          expect([id, (await visitorOf(mara, of).fetch(`/api/queues/${id}/m3u8`)).status]).toEqual([id, 404]);
      } finally {
        await of.close();
        await database.drop();
      }
    });
  },
);
