/**
 * The whole server with people on real sockets: accounts made in the database, typed requests, and a log of what each
 * tab received that notices gaps. Several worlds on one database (and one Redis) stand for several processes.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { isPlaybackChange } from '@tunemate/domain';
import {
  type Entries,
  type HostChange,
  type UserChange,
  userStream,
  type UserSnapshot,
  type EphemeralEvent,
  type PayloadInput,
  type PresenceRecord,
  type PlaybackChange,
  protocolVersion,
  type Refusal,
  type RequestName,
  type Result,
  type RoomChange,
  type RoomKind,
  roomStream,
  type StreamId,
  type TabId,
  type Uid,
  type Value,
} from '@tunemate/protocol';
import { countOpenConnections } from '../../../server/src/presence/connections-store.ts';
import { newClientId, valueOf } from '../answers.ts';
import { closedWithTest } from '../closed-with-test.ts';
import { type Client, openClient } from '../network/client.ts';
import { insertPerson, insertSession, type Person } from './people.ts';
import { startTestApp, type TestAppOptions } from './test-app.ts';

/** A change of presence is shown after this time at the latest, once the background tasks have run. */
const shownWithinMs = 5000;

/** One connection of a person, after its hello. */
export interface Tab extends Person {
  readonly tabId: TabId;
  readonly snapshot: UserSnapshot;
  readonly socket: Client;
  ask<Name extends RequestName>(name: Name, payload: PayloadInput<Name>): Promise<Result<Value<Name>>>;
  /** As `ask`, with whatever a hostile client might send. */
  send(name: string, ...values: unknown[]): Promise<Result<unknown>>;
  /** Every change received so far, in order. */
  readonly received: readonly { stream: StreamId; change: RoomChange | HostChange | UserChange }[];
  /** The changes of one stream or of all. */
  changes(stream?: StreamId): (RoomChange | HostChange | UserChange)[];
  /** The numbers received of a stream. */
  numbers(stream: StreamId): number[];
  /** Where a stream did not go on with the next number; must stay empty. */
  readonly gaps: string[];
  readonly ephemeral: EphemeralEvent[];
  /** The states that this tab has shown of a person who was online at first, each change once. */
  statesShown(of: Person): string[];
  readonly goodbyes: Refusal[];
  /** Closes the connection properly, as a page that closes. */
  leave(): void;
  /** Breaks the connection without closing it. */
  cut(): void;
}

export interface Room {
  kind: RoomKind;
  code: string;
}

/** Where pages find a server, and the origin of its own pages. */
export interface Address {
  readonly url: string;
  readonly origin: string;
}

/** Connects to the server at that address and says hello. Rejects with the code of a refusal, or once the line breaks. */
export async function openTab({ url, origin }: Address, person: Person, tabId: TabId, hello?: unknown): Promise<Tab> {
  const socket = await openClient(url, { cookie: person.cookie, origin });
  const received: { stream: StreamId; seq: number; change: RoomChange | HostChange | UserChange }[] = [];
  const last = new Map<StreamId, number>();
  const gaps: string[] = [];
  const ephemeral: EphemeralEvent[] = [];
  const shown = new Map<Uid, PresenceRecord[]>();
  /** Like a page: older presence than the known one is ignored, unless it came in a numbered change. */
  function show(presence: PresenceRecord, isNumbered: boolean): void {
    const known = shown.get(presence.uid) ?? [];
    const last = known.at(-1);
    if (!isNumbered && last && presence.last_changed < last.last_changed) return;
    if (presence.state !== (last?.state ?? 'online')) shown.set(presence.uid, [...known, presence]);
  }
  const goodbyes: Refusal[] = [];
  socket.on('entries', ({ stream, from, to, changes }: Entries) => {
    const expected = (last.get(stream) ?? from - 1) + 1;
    if (from !== expected) gaps.push(`${stream}: ${String(from)} after ${String(expected - 1)}`);
    changes.forEach((change, index) => {
      received.push({ stream, seq: (to ?? from) + index, change });
      if (change.type === 'presence/changed') show(change.presence, true);
    });
    last.set(stream, to ?? from + changes.length - 1);
  });
  socket.on('ephemeral', (news) => {
    ephemeral.push(news);
    if (news.type === 'people/changed' && news.person.presence) show(news.person.presence, false);
  });
  socket.on('goodbye', (why) => void goodbyes.push(why));
  const send = (name: string, ...values: unknown[]) => socket.request(name, ...values);
  const answer = (await send('session/hello', hello ?? { protocolVersion, tabId })) as Result<UserSnapshot>;
  if (!answer.ok) {
    socket.disconnect();
    throw new Error(answer.error.code);
  }
  return {
    ...person,
    tabId,
    snapshot: answer.value,
    socket,
    send,
    ask: async <Name extends RequestName>(name: Name, payload: PayloadInput<Name>) =>
      (await send(name, payload)) as Result<Value<Name>>,
    received,
    changes: (stream) => received.filter((each) => !stream || each.stream === stream).map(({ change }) => change),
    numbers: (stream) => received.filter((each) => each.stream === stream).map(({ seq }) => seq),
    gaps,
    ephemeral,
    statesShown: ({ uid }) => (shown.get(uid) ?? []).map(({ state }) => state),
    goodbyes,
    leave: () => socket.disconnect(),
    cut: () => socket.cut(),
  };
}

export async function createRoom(host: Tab, kind: RoomKind, name = 'Kitchen Radio'): Promise<Room> {
  const created = valueOf(await host.ask('rooms/create', { clientId: newClientId(), kind, name }));
  return { kind, code: created.code };
}

/** `guest` asks and is accepted. */
export async function letIn(host: Tab, guest: Tab, room: Room): Promise<void> {
  valueOf(await guest.ask('rooms/askToJoin', room));
  valueOf(await host.ask('rooms/acceptRequest', { ...room, uid: guest.uid }));
}

/** A room of this host with these guests, and all inside. */
export async function roomWith(host: Tab, kind: RoomKind, ...guests: Tab[]) {
  const room = await createRoom(host, kind);
  for (const guest of guests) await letIn(host, guest, room);
  const { roomId } = valueOf(await host.ask('rooms/enter', room)).room;
  for (const guest of guests) valueOf(await guest.ask('rooms/enter', room));
  return { room, roomId, stream: roomStream(roomId) };
}

export async function openSocketWorld(options: TestAppOptions = {}) {
  const app = await startTestApp(options);
  const address = { url: `http://127.0.0.1:${String(app.app.port)}`, origin: app.url };
  // The server's own: it does not read what another connection stores while one of its syncs is under way.
  const { db } = app.app;
  const tabs: Tab[] = [];

  async function connect(person: Person, tabId = randomUUID() as TabId, hello?: unknown): Promise<Tab> {
    const tab = await openTab(address, person, tabId, hello);
    tabs.push(tab);
    return tab;
  }
  const person = (name: string, { isVerified = true } = {}) =>
    insertPerson(db, { name, isVerified, nowMs: app.clock.now() });

  return {
    app,
    clock: app.clock,
    db,
    person,
    connect,
    /** The same person with another session. */
    signIn: async (known: Person): Promise<Person> => ({
      ...known,
      ...(await insertSession(db, known.uid, app.clock.now())),
    }),
    /** Someone new, on one tab. */
    arrive: async (name: string) => connect(await person(name)),
    room: createRoom,
    letIn,
    roomWith,
    async stateOf({ uid }: Person): Promise<'online' | 'offline'> {
      const row = await db.selectFrom('users').select('online').where('uid', '=', uid).executeTakeFirstOrThrow();
      return row.online === 1 ? 'online' : 'offline';
    },
    /** Closes the tab's page and waits until its presence has changed. */
    async leave(tab: Tab): Promise<void> {
      tab.leave();
      const isOpen = () =>
        db
          .selectFrom('connections')
          .select('uid')
          .where('tab_id', '=', tab.tabId)
          .where('grace_until_ms', 'is', null)
          .executeTakeFirst();
      while (await isOpen()) await setTimeout(5);
      app.clock.advance(shownWithinMs);
      await app.app.runBackground();
    },
    /** Connections that were neither closed nor lost. */
    openTabs: ({ uid }: Person): Promise<number> => countOpenConnections(db, uid),
    /** Moves the clock and runs every background task once. */
    async pass(byMs: number): Promise<void> {
      app.clock.advance(byMs);
      await app.app.runBackground();
    },
    /** Stops the server in good order, with everyone still connected. */
    close: closedWithTest(async () => {
      await app.close();
      for (const { socket } of tabs) socket.disconnect();
    }),
  };
}
export type SocketWorld = Awaited<ReturnType<typeof openSocketWorld>>;

type SentPlayhead = Omit<Extract<PlaybackChange, { type: 'playback/moved' }>, 'type'>;

/** The changes of a room's playback that a tab received, each with the fields that it carries. */
export function playbackSent(tab: Tab, stream: StreamId) {
  const sent = tab.changes(stream).flatMap((change) => (isPlaybackChange(change) ? [change] : []));
  return sent as readonly ({ type: string; revision: number; controller?: string } & Partial<SentPlayhead>)[];
}

/** The types of the changes that a tab received of its own stream. */
export const userChangeTypes = (tab: Tab): string[] => tab.changes(userStream(tab.uid)).map(({ type }) => type);
