/**
 * What the demo shows: six people who met in rooms, three rooms in the middle of their evening, chats and a soulmate
 * pair. Everything is requested from the running server as pages would request it; nothing is written around it.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type NamedTrack,
  type PayloadInput,
  type PlaybackIntent,
  protocolVersion,
  type RequestName,
  type Result,
  type RoomKind,
  type TabId,
  type Uid,
  type UserSnapshot,
  type Value,
} from '@tunemate/protocol';
import { newClientId, valueOf } from '../answers.ts';
import { openClient } from '../network/client.ts';
import { createHttpVisitor } from '../network/http-visitor.ts';
import { waitForMail } from '../services/outbox.ts';

export interface DemoRoom {
  readonly kind: RoomKind;
  readonly code: string;
}

/** A person of the demo, connected until `leave`. */
interface DemoPerson {
  readonly name: string;
  readonly uid: Uid;
  /** The session's cookie as a header: `name=value`. */
  readonly cookie: string;
  readonly tabId: TabId;
  ask<Name extends RequestName>(name: Name, payload: PayloadInput<Name>): Promise<Value<Name>>;
  notifications(): Promise<UserSnapshot['notifications']>;
}

export interface DemoServer {
  /** Where it listens: `http://127.0.0.1:3000`. */
  readonly url: string;
  /** The origin of its pages. */
  readonly origin: string;
  readonly dataDir: string;
}

export interface Evening {
  readonly film: DemoRoom;
  /** The host of the film, and a guest whose soulmate is in the same room. */
  readonly host: DemoPerson;
  readonly guest: DemoPerson;
  readonly soulmate: DemoPerson;
  /** Disconnects all people, and ends what keeps the evening going. */
  end(): void;
}

const password = 'three green bicycles';
/** A request to join ends a minute after its page is gone. */
const renewEveryMs = 15_000;
/** Shorter than the shortest film, so that the film room always has one to come. */
const addFilmEveryMs = 50_000;
const libraryReadWithinMs = 30_000;

/** Signs up, opens the mailed link and signs in, as a browser would. Answers the session's cookie. */
async function signUp({ url, origin, dataDir }: DemoServer, name: string): Promise<string> {
  const visitor = createHttpVisitor(url, origin);
  const email = `${name.toLowerCase()}@demo.example`;
  valueOf((await visitor.call('POST /api/accounts/sign-up', { name, email, password })).result);
  const { links } = await waitForMail(join(dataDir, 'outbox'), email);
  const oobCode = new URL(links[0] ?? origin).searchParams.get('oobCode') ?? '';
  valueOf((await visitor.call('POST /api/accounts/verify-email', { oobCode })).result);
  valueOf((await visitor.call('POST /api/accounts/sign-in', { email, password })).result);
  return visitor.cookie();
}

/** Opens one more connection for a session. */
async function connect({ url, origin }: DemoServer, cookie: string) {
  const tabId = randomUUID() as TabId;
  const socket = await openClient(url, { cookie, origin });
  async function ask<Name extends RequestName>(name: Name, payload: PayloadInput<Name>): Promise<Value<Name>> {
    const result = (await socket.request(name, payload)) as Result<Value<Name>>;
    if (!result.ok) throw new Error(`the demo's ${name} was refused: ${result.error.code}`);
    return result.value;
  }
  const snapshot = await ask('session/hello', { protocolVersion, tabId });
  return { tabId, ask, snapshot, leave: () => socket.disconnect() };
}

/** Fills a fresh server, and keeps the people connected so that they are seen online. */
export async function fillEvening(server: DemoServer): Promise<Evening> {
  const closers: (() => void)[] = [];
  async function come(name: string): Promise<DemoPerson> {
    const cookie = await signUp(server, name);
    const { tabId, ask, snapshot, leave } = await connect(server, cookie);
    closers.push(leave);
    const notifications = async () => {
      const again = await connect(server, cookie);
      again.leave();
      return again.snapshot.notifications;
    };
    return { name, uid: snapshot.user.uid, cookie, tabId, ask, notifications };
  }
  const repeat = (everyMs: number, act: () => Promise<unknown>) => {
    // A visitor of the demo may have ended the room meanwhile.
    const timer = setInterval(() => void act().catch(() => undefined), everyMs);
    closers.push(() => clearInterval(timer));
  };

  const mira = await come('Mira');
  const jonas = await come('Jonas');
  const ada = await come('Ada');
  const tom = await come('Tom');
  const lena = await come('Lena');
  const noor = await come('Noor');

  // People meet where one is the other's host.
  const earlier = await openRoom(jonas, 'audio', 'Just us', [ada]);
  await jonas.ask('rooms/leave', { ...earlier, ends: true });
  const film = await openRoom(mira, 'video', 'Saturday film night', [jonas, ada, tom, lena]);
  const records = await openRoom(lena, 'audio', 'Kitchen records', [tom, ada, noor]);
  const tram = await openRoom(noor, 'audio', 'Night tram', [jonas, tom]);

  await playAll(noor, tram, ['Rain on the Tram', 'Walking Home']);
  await playAll(lena, records, ['Sunday Kitchen', 'Paper Lanterns', 'Walking Home']);
  for (const room of [tram, records]) {
    const host = room === tram ? noor : lena;
    await write(host, room, { type: 'setAfterTrack', afterTrack: 'suggested' });
  }
  await write(mira, film, { type: 'choose', track: await find(mira, film, 'Poppy Season') });
  await mira.ask('rooms/set', { ...film, settings: { everyoneAdds: true } });
  for (const [who, title] of [
    [jonas, 'City of Tiles'],
    [ada, 'Two Reels'],
  ] as const)
    await add(who, film, title);
  await mira.ask('rooms/set', { ...film, settings: { everyoneAdds: false } });
  await add(ada, film, 'Paper Lanterns');

  await bond(ada, jonas);
  await talk(film, mira, jonas, ada);
  await writeLetters({ mira, jonas, ada, tom, lena, noor });

  await tom.ask('rooms/enter', records);
  await noor.ask('rooms/enter', tram);
  await noor.ask('rooms/askToJoin', film);
  repeat(renewEveryMs, () => noor.ask('rooms/renewRequest', film));

  const titles = ['Two Reels', 'City of Tiles', 'Poppy Season'];
  repeat(addFilmEveryMs, async () => {
    const title = titles.shift() ?? '';
    titles.push(title);
    await mira.ask('rooms/set', { ...film, settings: { everyoneAdds: true } });
    await add(jonas, film, title);
  });

  // A page that Mira opens takes control only while no other connection of hers has it, and a host without any
  // connection is away.
  await mira.ask('rooms/close', film);
  const beside = await connect(server, mira.cookie);
  closers.push(beside.leave);
  await beside.ask('rooms/enter', film);
  return { film, host: mira, guest: ada, soulmate: jonas, end: () => closers.forEach((close) => close()) };
}

/** Creates a room, enters it, and lets these people in. */
async function openRoom(host: DemoPerson, kind: RoomKind, name: string, guests: DemoPerson[]): Promise<DemoRoom> {
  const { code } = await host.ask('rooms/create', { clientId: newClientId(), kind, name });
  const room = { kind, code };
  await host.ask('rooms/enter', room);
  for (const guest of guests) await guest.ask('rooms/askToJoin', room);
  await host.ask('rooms/acceptAll', { ...room, uids: guests.map(({ uid }) => uid) });
  for (const guest of guests) await guest.ask('rooms/enter', room);
  await host.ask('playback/takeControl', { ...room, tabId: host.tabId });
  return room;
}

const write = (host: DemoPerson, room: DemoRoom, intent: PlaybackIntent) =>
  host.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent });

/** The library's item of this title. A server that has just started may still be reading the library. */
async function find(person: DemoPerson, room: DemoRoom, title: string): Promise<NamedTrack> {
  const giveUpAtMs = performance.now() + libraryReadWithinMs;
  for (;;) {
    const { items } = await person.ask('catalogue/search', { ...room, query: title });
    const item = items.find((each) => each.title.startsWith(title));
    if (item) return { videoId: item.videoId, title: item.title, durationSeconds: item.durationSeconds };
    if (performance.now() > giveUpAtMs) throw new Error(`the library has no "${title}"`);
    await pause(300);
  }
}

async function playAll(host: DemoPerson, room: DemoRoom, titles: string[]): Promise<void> {
  const [first, ...rest] = await Promise.all(titles.map((title) => find(host, room, title)));
  if (first !== undefined) await write(host, room, { type: 'choose', track: first });
  for (const track of rest) await write(host, room, { type: 'enqueue', track });
}

/** A guest's proposal, which goes to the queue where everyone can add. */
const add = async (guest: DemoPerson, room: DemoRoom, title: string) =>
  await guest.ask('rooms/propose', { ...room, clientId: newClientId(), track: await find(guest, room, title) });

/** Makes two tunemates soulmates of each other. */
async function bond(one: DemoPerson, other: DemoPerson): Promise<void> {
  await one.ask('soulmate/ask', { clientId: newClientId(), uid: other.uid });
  const request = (await other.notifications()).find(
    ({ type, senderUid }) => type === 'soulmate' && senderUid === one.uid,
  );
  if (request === undefined) throw new Error('the demo lost a soulmate request');
  await other.ask('soulmate/accept', { id: request.id });
}

/** The chat of the film room, with a few reactions. */
async function talk(room: DemoRoom, mira: DemoPerson, jonas: DemoPerson, ada: DemoPerson): Promise<void> {
  const lines = [
    [mira, 'Everybody got something to eat? Then I press play.'],
    [jonas, 'Popcorn is ready, go!'],
    [ada, 'Oh, the poppies. I remember this one.'],
    [jonas, 'Look at the light in that field'],
    [mira, 'City of Tiles comes next, Jonas chose it'],
    [ada, 'And I put Two Reels behind it'],
  ] as const;
  const ids: string[] = [];
  for (const [who, text] of lines) {
    const { message } = await who.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text });
    ids.push(message.id);
  }
  for (const [who, index, stamp] of [
    [ada, 1, 'ha'],
    [mira, 2, 'love'],
    [jonas, 2, 'love'],
    [ada, 3, 'fire'],
  ] as const) {
    await who.ask('rooms/stamp', { ...room, messageId: ids[index] ?? '', stamp, isOn: true });
  }
}

/** Private chats; what is written to a person last stays unread. */
async function writeLetters(
  people: Record<'mira' | 'jonas' | 'ada' | 'tom' | 'lena' | 'noor', DemoPerson>,
): Promise<void> {
  const { mira, jonas, ada, tom, lena, noor } = people;
  await exchange([
    [jonas, ada, 'Are you in for the film tonight?'],
    [ada, jonas, 'Of course. Tea is on'],
    [jonas, ada, 'I kept the seat by the window for you, so to speak'],
    [ada, jonas, 'Same second, different sofa ❤️'],
  ]);
  await exchange([
    [lena, mira, 'Thanks for last week, that was the best record evening so far'],
    [mira, lena, 'Next one is at yours!'],
    [lena, mira, 'Deal. Bring the tram record'],
  ]);
  await exchange([
    [tom, ada, 'What was the name of that song with the lanterns?'],
    [ada, tom, 'Paper Lanterns, it is in the library'],
    [tom, ada, 'Found it, thank you!'],
  ]);
  await exchange([[noor, mira, 'Is there still room on the sofa? I am on my way']]);
}

/** Each message is read before it is answered. */
async function exchange(lines: (readonly [DemoPerson, DemoPerson, string])[]): Promise<void> {
  for (const [from, to, text] of lines) {
    const { pairId, messages } = await from.ask('chats/open', { uid: to.uid });
    const last = messages.at(-1)?.number ?? 0;
    if (last > 0) await from.ask('chats/mark', { pairId, deliveredUpTo: last, readUpTo: last });
    await from.ask('chats/send', { clientId: newClientId(), uid: to.uid, text });
  }
}
