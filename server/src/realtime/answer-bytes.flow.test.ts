/** How many bytes the longest answers have: a world in which all that people may write is as long as it may be. */
import { pairIdOf, withThumbnail } from '@tunemate/domain';
import {
  limits,
  type PlaybackIntent,
  type RequestName,
  type RoomId,
  stampNames,
  type Uid,
  utf8Bytes,
  type VideoId,
  weights,
} from '@tunemate/protocol';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { insertUsers } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { beforeAll, expect, test } from 'vitest';
import { mostPlayed, readPlayback, savePlayback } from '../playback/playback-document.ts';
import { mostAnswerBytes } from '../storage/pages.ts';

/** Four bytes a character, as long as a field may be. */
const longest = (characters: number): string => '🎵'.repeat(characters);
const words = longest(limits.messageLength);
const name = longest(limits.nameLength);
const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const linkOf = (n: number): VideoId => {
  const start = `link:https://films.example/${String(n).padStart(4, '0')}${'f'.repeat(390)}.m3u8?`;
  return start.padEnd(2000, 'q') as VideoId;
};
const trackOf = (n: number) => ({
  ...{ videoId: linkOf(n), title: longest(limits.titleBytes / 4), durationSeconds: 86_399.123_456_789 },
});

/** What an answer says beside its rows. */
const around = 24 * 1024;
const aPage = mostAnswerBytes + around;

let w: SocketWorld;
let host: Tab;
let mate: Tab;
let room: Room;
let roomId: RoomId;
let people: Uid[];
const ref = () => ({ kind: 'video' as const, roomId });

beforeAll(async () => {
  w = await openSocketWorld({ env: { MEDIA_HOSTS: 'films.example' } });
  host = await w.arrive(name);
  mate = await w.arrive(name);
  ({ room, roomId } = await w.roomWith(host, 'video', mate));
  people = await insertUsers(
    w.db,
    many(limits.pendingPerRoom, () => ({ name, nowMs: w.clock.now() })),
  );
  await fillRoom();
  await fillChats();
  await fillQueues();
  // A view of the room is kept for a second.
  await pause(1001);
  valueOf(await host.ask('queues/save', { ...room, clientId: newClientId(), name: 'Played', of: 'played' }));
  return () => w.close();
});

async function fillRoom(): Promise<void> {
  const nowMs = w.clock.now();
  const others = people.slice(0, limits.namedPeople - 2);
  await w.db
    .insertInto('room_participants')
    .values(others.map((uid, n) => ({ room_id: roomId, uid, joined_at_ms: n })))
    .execute();
  const request = { room_id: roomId, name, status: 'pending' as const, asked_at_ms: nowMs, renewed_at_ms: nowMs };
  const asking = people.map((uid) => ({ ...request, uid, answered_at_ms: null, times_asked: 0 }));
  await w.db.insertInto('room_requests').values(asking).execute();
  const stored = await readPlayback(w.db, ref());
  if (!stored) return expect.fail('the room plays nothing');
  const queued = (n: number) => ({ ...withThumbnail(trackOf(n)), startSeconds: 12_345.678_901, proposedBy: host.uid });
  const fit = Math.floor(weights.queueBytes / utf8Bytes(JSON.stringify(queued(0))));
  const videoQueue = many(Math.min(limits.queueItems, fit), queued);
  await savePlayback(w.db, ref(), { ...stored.playback, queue: { videoQueue, currentIndex: 0 } });
  await w.db
    .insertInto('played_tracks')
    .values(
      many(mostPlayed, (n) => ({
        ...{ room_id: roomId, number: n + 1, track: JSON.stringify(trackOf(n)), proposed_by: mate.uid, at_ms: n },
        by_house: 0,
      })),
    )
    .execute();
  for (let n = 0; n < limits.proposalsPerRoom; n += 1) {
    const proposal = { room_id: roomId, proposal_id: `proposal-${String(n)}`, position: n };
    const track = JSON.stringify(trackOf(n));
    await w.db
      .insertInto('proposals')
      .values({ ...proposal, video_id: linkOf(n), track })
      .execute();
    const vote = { room_id: roomId, proposal_id: proposal.proposal_id, uid: host.uid, position: n };
    await w.db.insertInto('proposal_votes').values(vote).execute();
  }
  const message = (n: number) => ({
    ...{ room_id: roomId, message_id: `message-${String(n)}`, number: n + 1, client_id: newClientId() },
    ...{
      sender: host.uid,
      text: words,
      timestamp_ms: nowMs,
      reply_to: `message-${String(n - 1)}`,
      edits: 1,
      edit_id: null,
    },
  });
  const stamps = many(2 * limits.chatPage, (n) =>
    stampNames.map((stamp) => ({ room_id: roomId, uid: host.uid, message_id: `message-${String(n)}`, stamp })),
  );
  await w.db.insertInto('room_stamps').values(stamps.flat()).execute();
  await w.db
    .insertInto('room_chat')
    .values(many(2 * limits.chatPage, message))
    .execute();
}

async function fillChats(): Promise<void> {
  for (const [at, other] of [mate.uid, ...people.slice(0, limits.chatList - 1)].entries()) {
    const pair_id = pairIdOf(host.uid, other);
    const last = at === 0 ? 3 * limits.chatPage : 1;
    const side = { pair_id, last_number: last, last_at_ms: 1000 - at, started_at_ms: 0, shown_number: null };
    await w.db
      .insertInto('conversations')
      .values([
        { ...side, uid: host.uid, other },
        { ...side, uid: other, other: host.uid },
      ])
      .execute();
    const message = (n: number) => ({
      ...{
        pair_id,
        number: n + 1,
        client_id: newClientId(),
        sender: n % 2 === 0 ? host.uid : other,
        text: words,
      },
      ...{
        image: null,
        voice: null,
        timestamp_ms: n + 1,
        reply_to: n === 0 ? null : n,
        revision: n + 1,
        terms: '',
        edit_id: null,
      },
    });
    await w.db.insertInto('private_messages').values(many(last, message)).execute();
    const reaction = (uid: Uid) => (n: number) => ({
      ...{ pair_id, number: n + 1, uid, author: host.uid, revision: 1, added: 1 },
      emojis: ['👨🏽‍👩🏽‍👧🏽‍👦🏽', '👩🏾‍❤️‍💋‍👨🏾', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'].slice(0, limits.reactionsPerPerson).join(' '),
    });
    const reactions = [host.uid, other].flatMap((uid) => many(last, reaction(uid)));
    await w.db.insertInto('private_reactions').values(reactions).execute();
  }
}

async function fillQueues(): Promise<void> {
  const mates = people.slice(0, weights.queueShares);
  const listed = mates.flatMap((uid, position) => [
    { uid: host.uid, mate: uid, added_at_ms: 0, position },
    { uid, mate: host.uid, added_at_ms: 0, position },
  ]);
  await w.db.insertInto('tunemates').values(listed).execute();
  const saved = { kind: 'video' as const, name: longest(limits.queueNameLength), tracks: '[]', track_count: 200 };
  const own = many(limits.savedQueues - 1, (n) => ({
    ...saved,
    queue_id: `own-${String(n)}`,
    uid: host.uid,
    at_ms: n,
  }));
  const theirs = mates.map((uid, n) => ({ ...saved, queue_id: `theirs-${String(n)}`, uid, at_ms: n }));
  await w.db
    .insertInto('saved_queues')
    .values([...own, ...theirs])
    .execute();
  for (const { queue_id } of own) {
    await w.db
      .insertInto('queue_shares')
      .values(mates.map((uid) => ({ queue_id, uid, at_ms: 1 })))
      .execute();
  }
  await w.db
    .insertInto('queue_shares')
    .values(theirs.map(({ queue_id }) => ({ queue_id, uid: host.uid, at_ms: 1 })))
    .execute();
}

async function bytesOf(name: RequestName, payload: object): Promise<number> {
  const texts: string[] = [];
  const take = (text: string) => void texts.push(text);
  host.socket.on('text', take);
  valueOf(await host.send(name, payload));
  host.socket.off('text', take);
  return Math.max(...texts.map(utf8Bytes));
}

test('no answer is longer than pages are sent in peace: a room, a queue, lists and chats as long as they may be (S20)', async () => {
  const { queues } = valueOf(await host.ask('queues/list', {}));
  const queueId = queues[0]?.queueId;
  const chat = { pairId: pairIdOf(host.uid, mate.uid), before: 3 * limits.chatPage, downTo: 1 };
  const asked: [RequestName, object, number][] = [
    ['rooms/enter', room, weights.longestAnswerBytes],
    ['rooms/played', room, weights.longestAnswerBytes],
    ['rooms/earlierMessages', { ...room, before: 'message-99', downTo: 'message-0' }, aPage],
    ['queues/list', {}, weights.longestAnswerBytes],
    ['queues/read', { queueId }, weights.queueBytes + around],
    ['chats/list', {}, aPage],
    ['chats/open', { uid: mate.uid, since: 0 }, weights.longestAnswerBytes],
    ['chats/open', { uid: mate.uid, since: 60 }, weights.longestAnswerBytes],
    ['chats/earlierMessages', chat, aPage],
  ];
  const weighed: [string, number][] = [];
  for (const [name, payload, most] of asked) {
    const bytes = await bytesOf(name, payload);
    if (bytes > most) weighed.push([name, Math.round(bytes / 1024)]);
  }
  expect(weighed).toEqual([]);
});

test('a saved queue is shared with so many people, and no more', async () => {
  const share = async (isOn: boolean, uid: Uid) => await host.ask('queues/share', { queueId: 'own-0', uid, isOn });
  expect(codeOf(await share(true, mate.uid))).toBe('limit/too-many');
  valueOf(await share(false, people[0] ?? mate.uid));
  valueOf(await share(true, mate.uid));
});

test('of a list that ends by its bytes the rest is said, and read with the next part', async () => {
  const first = valueOf(await host.ask('chats/list', {}));
  const { length } = first.conversations;
  expect([length < limits.chatList, length + (first.more ?? 0)]).toEqual([true, limits.chatList]);
  const next = valueOf(await host.ask('chats/list', { from: length }));
  expect(next.conversations[0]?.pairId).not.toBe(first.conversations.at(-1)?.pairId);
  expect(valueOf(await host.ask('chats/open', { uid: mate.uid, since: 60 })).changed).toBeNull();
});

test('a queue takes no more bytes than it may have, and of a longer list as many tracks as fit', async () => {
  const other = await w.room(host, 'video');
  valueOf(await host.ask('rooms/enter', other));
  valueOf(await host.ask('playback/takeControl', { ...other, tabId: host.tabId }));
  const write = (intent: PlaybackIntent) =>
    host.ask('playback/write', { ...other, tabId: host.tabId, clientId: newClientId(), intent });
  const batch = (from: number) => ({ type: 'enqueueAll' as const, items: many(4, (n) => trackOf(from + n)) });
  let added = 0;
  let last: Awaited<ReturnType<typeof write>>;
  do {
    last = await write(batch(added));
    if (last.ok) added += last.value.added ?? 0;
  } while (last.ok);
  expect(last.error.code).toBe('playback/queue-long');
  expect(codeOf(await write({ type: 'enqueue', track: trackOf(added) }))).toBe('playback/queue-long');
  const snapshot = await bytesOf('rooms/enter', other);
  expect(snapshot).toBeLessThan(weights.queueBytes + around);
  expect(snapshot).toBeGreaterThan(weights.queueBytes - utf8Bytes(JSON.stringify(trackOf(0))) - around);
  // What weighs little has no room in it either, until something is taken out.
  valueOf(await write({ type: 'remove', index: 0, videoId: linkOf(0) }));
  valueOf(await write({ type: 'enqueue', track: trackOf(added) }));
});
