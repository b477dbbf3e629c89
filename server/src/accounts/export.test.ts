/** The contents of the data export, requested over HTTP by users with data in every feature. */
import { get, type IncomingMessage } from 'node:http';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { turnsDuring } from '@tunemate/testkit/least-cpu';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import type { UserSession } from '../access/session.ts';
import type { AccountsDeps } from './accounts-deps.ts';
import { exportService } from './export.ts';

describe('the export of own data', () => {
  let world: SocketWorld;
  beforeAll(async () => {
    world = await openSocketWorld();
  });
  afterAll(() => world.close());

  async function exportOf(person: Person): Promise<Record<string, unknown>> {
    return (await (await ask(person)).json()) as Record<string, unknown>;
  }
  function visitorOf(person: Person) {
    const visitor = world.app.visitor();
    visitor.setCookie(person.cookie);
    return visitor;
  }
  const ask = (person: Person) => visitorOf(person).fetch('/api/accounts/export');

  test('contains the user’s chats with both names, tunemates, soulmate, notifications, blocks and rooms', async () => {
    const [mara, ivo, eve] = [await world.arrive('Mara'), await world.arrive('Ivo'), await world.arrive('Eve')];
    const room = await world.room(mara, 'audio', 'Night Shift');
    await world.letIn(mara, ivo, room);
    const send = async (from: typeof mara, to: typeof mara, text: string) =>
      valueOf(await from.ask('chats/send', { clientId: newClientId(), uid: to.uid, text }));
    await send(mara, ivo, 'did you hear that?');
    await send(ivo, mara, 'the bass line!');
    valueOf(await ivo.ask('soulmate/ask', { clientId: newClientId(), uid: mara.uid }));
    valueOf(await ivo.ask('notifications/invite', { clientId: newClientId(), uid: mara.uid }));
    valueOf(await mara.ask('chats/block', { uid: eve.uid, isBlocked: true }));

    const mine = await exportOf(mara);
    expect(mine).toMatchObject({
      user: { uid: mara.uid, name: 'Mara' },
      tunemates: [{ uid: ivo.uid, name: 'Ivo', metIn: ['audio'] }],
      soulmate: null,
      blocked: [eve.uid],
      roomsHosted: [{ kind: 'audio', code: room.code, name: 'Night Shift', isActive: true }],
      chats: [
        {
          with: { uid: ivo.uid, name: 'Ivo' },
          messages: [
            { sender: mara.uid, senderName: 'Mara', text: 'did you hear that?' },
            { sender: ivo.uid, senderName: 'Ivo', text: 'the bass line!' },
          ],
        },
      ],
    });
    const received = mine['notifications'] as { id: string; type: string; senderName: string }[];
    expect(received.map(({ type, senderName }) => `${type} by ${senderName}`).sort((a, b) => (a < b ? -1 : 1))).toEqual(
      ['now-playing by Ivo', 'soulmate by Ivo'],
    );
    const request = received.find(({ type }) => type === 'soulmate');
    valueOf(await mara.ask('soulmate/accept', { id: request?.id ?? '' }));
    expect((await exportOf(ivo))['soulmate']).toEqual({ uid: mara.uid, name: 'Mara' });
  });

  test('has messages as they are now: edited, without deleted and hidden words, with quotes and reactions; and what each made of the chat', async () => {
    const [mara, ivo] = [await world.arrive('Mathilda'), await world.arrive('Ismael')];
    const send = async (text: string, replyTo?: number) => {
      const to = { clientId: newClientId(), uid: ivo.uid, text, ...(replyTo !== undefined && { replyTo }) };
      return valueOf(await mara.ask('chats/send', to)).message;
    };
    const [first, second, third] = [await send('at eight'), await send('marmalade'), await send('zeppelin')];
    const of = ({ pairId, number }: typeof first) => ({ pairId, number, clientId: newClientId() });
    await send('so when?', first.number);
    await send('what?', second.number);
    valueOf(await mara.ask('chats/edit', { ...of(first), text: 'at nine', edits: 1 }));
    valueOf(await ivo.ask('chats/react', { ...of(first), emoji: '🔥', isOn: true }));
    const { pairId, number } = second;
    valueOf(await mara.ask('chats/delete', { pairId, number }));
    valueOf(await ivo.ask('chats/hide', { pairId, number: third.number, isHidden: true }));
    valueOf(await ivo.ask('chats/arrange', { pairId, isPinned: true, isMuted: true }));
    const text = 'at nine';
    const reactions = [{ uid: ivo.uid, emoji: '🔥' }];
    const chat = [
      { text, isEdited: true, isDeleted: false, reactions },
      { text: '', isDeleted: true, reactions: [] },
      { text: 'so when?', reply: { sender: mara.uid, text } },
      { text: 'what?', reply: { sender: mara.uid, text: '' } },
    ];
    const theirs = await exportOf(ivo);
    const arranged = { isPinned: true, isMuted: true, isArchived: false };
    expect(theirs['chats']).toMatchObject([{ arranged, messages: chat }]);
    expect((await exportOf(mara))['chats']).toMatchObject([
      {
        arranged: { isPinned: false, isMuted: false },
        messages: [...chat.slice(0, 2), { text: 'zeppelin' }, ...chat.slice(2)],
      },
    ]);
    expect(JSON.stringify(theirs)).not.toMatch(/at eight|marmalade|zeppelin/);
  });

  test('contains no private data of others: no addresses, no presence, no chats of other people', async () => {
    const [mara, ivo, eve] = [await world.arrive('Mona'), await world.arrive('Igor'), await world.arrive('Ella')];
    valueOf(await mara.ask('chats/send', { clientId: newClientId(), uid: ivo.uid, text: 'between us two' }));
    valueOf(await eve.ask('chats/send', { clientId: newClientId(), uid: ivo.uid, text: 'and from me' }));
    const text = JSON.stringify(await exportOf(eve));
    expect(text).toContain('and from me');
    expect(text).not.toContain('between us two');
    expect(text).not.toContain(`${ivo.uid.toLowerCase()}@`);
    expect(text).not.toContain('password');
  });
  test('the export contains what was said, voted and asked in rooms, memberships, photos, devices and the audit log', async () => {
    const [mara, ivo] = [await world.arrive('Maren'), await world.arrive('Ilja')];
    const room = await world.room(mara, 'video', 'Late Show');
    await world.letIn(mara, ivo, room);
    const say = (from: typeof mara, text: string) =>
      from.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text }).then(valueOf);
    await say(ivo, 'said in the room');
    await say(mara, 'said by another');
    const track = trackOf(1);
    valueOf(await mara.ask('playback/takeControl', { ...room, tabId: mara.tabId }));
    const press = { ...room, tabId: mara.tabId, clientId: newClientId(), intent: { type: 'choose', track } } as const;
    valueOf(await mara.ask('playback/write', press));
    valueOf(await ivo.ask('playback/voteToSkip', { ...room, videoId: track.videoId, isOn: true }));
    valueOf(await ivo.ask('music/keep', { uid: mara.uid, keeps: true }));
    const picture = await sharp({ create: { width: 8, height: 6, channels: 3, background: '#c84' } })
      .png()
      .toBuffer();
    const uploaded = await visitorOf(ivo).fetch(`/api/chats/images?with=${mara.uid}`, {
      method: 'POST',
      headers: { 'content-type': 'image/png', origin: world.app.url },
      body: new Uint8Array(picture),
    });
    const { imageId } = valueOf((await uploaded.json()) as { ok: true; value: { imageId: string } });
    valueOf(await ivo.ask('chats/send', { clientId: newClientId(), uid: mara.uid, text: '', imageId }));
    const endpoint = 'https://push.example.org/device-of-ilja';
    const p256dh = Buffer.alloc(65, 4).toString('base64url');
    const auth = Buffer.alloc(16, 7).toString('base64url');
    const subscribed = await visitorOf(ivo).call('POST /api/push/subscribe', { endpoint, keys: { p256dh, auth } });
    expect(subscribed.result).toMatchObject({ ok: true });

    const address = `${world.app.url}/api/chats/images/${imageId}`;
    const mine = await exportOf(ivo);
    expect(mine).toMatchObject({
      roomsJoined: [{ kind: 'video', code: room.code }],
      joinRequests: [{ kind: 'video', code: room.code, status: 'accepted' }],
      roomMessages: [{ kind: 'video', code: room.code, text: 'said in the room' }],
      skipVotes: [{ kind: 'video', code: room.code }],
      ourMusic: [{ with: mara.uid, askedBy: ivo.uid, keptSince: null }],
      photos: [{ imageId, to: mara.uid, isSent: true, width: 8, height: 6, address }],
      chats: [{ with: { uid: mara.uid }, messages: [{ image: { imageId, address } }] }],
      pushDevices: [{ endpoint }],
      activity: [{ event: 'account.exported', address: '127.0.0.1' }],
    });
    const opened = await visitorOf(ivo).fetch(new URL(address).pathname);
    expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'image/webp']);
    const text = JSON.stringify(mine);
    for (const secret of [p256dh, auth, 'said by another']) expect(text).not.toContain(secret);
  });

  test('is a file of any number of pages, with each item once and in order', async () => {
    const [mara, ivo] = [await world.person('Maya'), await world.person('Ingo')];
    await writeChat(mara, ivo, 501, 'word');
    const answer = await ask(mara);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="tunemate-data.json"');
    expect(answer.headers.get('content-type')).toContain('application/json');
    const [chat] = ((await answer.json()) as { chats: { messages: { text: string }[] }[] }).chats;
    expect(chat?.messages.map(({ text }) => text)).toEqual(
      Array.from({ length: 501 }, (_, index) => `word ${String(index + 1)}`),
    );
  });

  test('is read while it is sent, never whole in memory', async () => {
    const [mara, ivo] = [await world.person('Magda'), await world.person('Iris')];
    await writeChat(mara, ivo, 20_000, 'x'.repeat(1500));
    const answer = await beginExport(mara);
    // The client stops reading. Thirty megabytes exceed every buffer, so the last page is not read yet.
    await writeChat(mara, ivo, 1, 'the last word, at number', 20_000);
    let [length, end] = [0, ''];
    for await (const chunk of answer) {
      const text = (chunk as Buffer).toString('latin1');
      length += text.length;
      end = (end + text).slice(-100_000);
    }
    expect(length).toBeGreaterThan(30_000_000);
    expect(end).toContain('the last word, at number 20001');
  });

  test('ends with its session: what is not sent by then never is (ACCT-12)', async () => {
    const [mara, ivo] = [await world.person('Marla'), await world.person('Ivor')];
    await writeChat(mara, ivo, 20_000, 'x'.repeat(1500));
    const answer = await beginExport(mara);
    valueOf((await visitorOf(mara).call('POST /api/accounts/sign-out-everywhere', {})).result);
    await writeChat(mara, ivo, 1, 'the last word, at number', 20_000);
    let [length, end] = [0, ''];
    const read = async () => {
      for await (const chunk of answer) {
        length += (chunk as Buffer).length;
        end = (end + (chunk as Buffer).toString('latin1')).slice(-100_000);
      }
    };
    await expect(read()).rejects.toThrow('aborted');
    expect(length).toBeLessThan(20_000_000);
    expect(end).not.toContain('the last word');
  });

  test('lets others be served between its parts, however fast they are read', async () => {
    const { uid, sessionId } = await world.person('Mina');
    const rows = async function* () {
      for (let n = 0; n < 50; n += 1) yield await Promise.resolve('x'.repeat(100_000));
    };
    const { db, clock } = world;
    const stillLive = (ids: readonly string[]) => Promise.resolve(new Map(ids.map((id) => [id, 0])));
    const parts = { hooks: [{ exports: { rows } }], sessions: { list: () => [], stillLive }, publicUrl: () => '' };
    const exports = exportService({ ...parts, record: { db }, clock } as unknown as AccountsDeps);
    const file = await exports.begin({ uid, sessionId } as UserSession, '');
    let length = 0;
    const turns = await turnsDuring(async () => {
      for await (const part of file) length += part.length;
    });
    expect(length).toBeGreaterThan(5_000_000);
    expect(turns).toBeGreaterThanOrEqual(50);
  });

  test('a second export of the same user is refused while one runs, another user’s is not', async () => {
    const [mara, ivo] = [await world.person('Milena'), await world.person('Ivan')];
    await writeChat(mara, ivo, 20_000, 'x'.repeat(1500));
    const first = await beginExport(mara);
    const second = await ask(mara);
    expect([second.status, await second.json()]).toMatchObject([429, { error: { code: 'limit/too-many' } }]);
    expect((await ask(ivo)).status).toBe(200);
    first.destroy();
    await expect.poll(async () => (await ask(mara)).status).toBe(200);
  });

  /** The answer has begun, and is not read yet. */
  const beginExport = (person: Person) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const url = `http://127.0.0.1:${String(world.app.app.port)}/api/accounts/export`;
      get(url, { headers: { cookie: person.cookie } }, resolve).on('error', reject);
    });

  /** Stores messages between the two directly, past the limits of sending. */
  async function writeChat(from: Person, to: Person, count: number, text: string, after = 0): Promise<void> {
    const pairId = [from.uid, to.uid].sort((a, b) => (a < b ? -1 : 1)).join('_');
    const { db } = world;
    await db.transaction().execute(async (writing) => {
      for (let number = after + 1; number <= after + count; number += 1) {
        const message = { pair_id: pairId, number, client_id: newClientId(), sender: from.uid, image: null };
        await writing
          .insertInto('private_messages')
          .values({ ...message, text: `${text} ${String(number)}`, timestamp_ms: number })
          .execute();
      }
      const side = { uid: from.uid, other: to.uid, pair_id: pairId, last_number: count, last_at_ms: count };
      await writing
        .insertInto('conversations')
        .values({ ...side, started_at_ms: 1 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  }
});

describe('the limit of exports', () => {
  test('allows each user three exports an hour, and one more every 20 minutes', async () => {
    const world = await openSocketWorld({ env: { RATE_LIMIT_SCALE: '1' } });
    const [mara, ivo] = [await world.person('Mara'), await world.person('Ivo')];
    const ask = async (person: Person) => {
      const visitor = world.app.visitor();
      visitor.setCookie(person.cookie);
      const answer = await visitor.fetch('/api/accounts/export');
      const body = (await answer.json()) as { error?: { code: string; retryAfterMs: number } };
      return { status: answer.status, ...body.error };
    };
    for (let count = 0; count < 3; count += 1) expect((await ask(mara)).status).toBe(200);
    expect(await ask(mara)).toEqual({ status: 429, code: 'limit/too-many', retryAfterMs: 20 * 60 * 1000 });
    expect((await ask(ivo)).status).toBe(200);
    world.clock.advance(20 * 60 * 1000);
    expect((await ask(mara)).status).toBe(200);
  });
});
