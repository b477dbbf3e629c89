/**
 * Many people with sessions, made directly in a database before the server starts, and their typed connections.
 * Counts every byte that arrives, so that what a server sends can be compared.
 */
import { randomUUID } from 'node:crypto';
import {
  protocolVersion,
  type PayloadInput,
  type RequestName,
  type Result,
  type RoomKind,
  type Value,
} from '@tunemate/protocol';
import { migrate, openDatabase } from '../../../server/src/storage/database.ts';
import { newClientId } from '../answers.ts';
import { type Client, openClient } from '../network/client.ts';
import { insertPerson, type Person } from './people.ts';

/** Writes verified people, each with one session, into the database that `url` names: so many, or those named. */
export async function makePeople(url: string, people: number | readonly string[]): Promise<Person[]> {
  const names = typeof people === 'number' ? Array.from({ length: people }, (_, n) => `Listener ${String(n)}`) : people;
  const database = openDatabase(url);
  await migrate(database);
  const nowMs = Date.now();
  const made: Person[] = [];
  for (const name of names) made.push(await insertPerson(database.db, { name, nowMs }));
  await database.close();
  return made;
}

/** Bytes that arrived at all connections made here. */
export const received = { bytes: 0 };

export interface Member {
  person: Person;
  line: Client;
  tabId: string;
  ask<Name extends RequestName>(name: Name, payload: PayloadInput<Name>): Promise<Value<Name>>;
}

/** Connects and says hello. `headers` go with the upgrade. */
export async function connect(url: string, person: Person, headers: Record<string, string> = {}): Promise<Member> {
  const member = await openLine(url, person, headers);
  await member.hello();
  return member;
}

/** Connects, and leaves the hello to the caller. */
export async function openLine(
  url: string,
  person: Person,
  headers: Record<string, string> = {},
): Promise<Member & { hello(): Promise<unknown> }> {
  const line = await openClient(url, { cookie: person.cookie, headers });
  line.on('text', (text) => (received.bytes += Buffer.byteLength(text)));
  const ask: Member['ask'] = async <Name extends RequestName>(name: Name, payload: PayloadInput<Name>) => {
    const result = (await line.request(name, payload)) as Result<Value<Name>>;
    if (!result.ok) throw new Error(`${name}: ${result.error.code}`);
    return result.value;
  };
  const tabId = randomUUID();
  return { person, line, tabId, ask, hello: () => ask('session/hello', { protocolVersion, tabId }) };
}

export interface Room {
  readonly kind: RoomKind;
  readonly code: string;
}

/** A room of this host, who lets these guests in. None of them has entered it. */
export async function roomOf(host: Member, kind: RoomKind, ...guests: readonly Member[]): Promise<Room> {
  const { code } = await host.ask('rooms/create', { clientId: newClientId(), kind, name: 'Kitchen Radio' });
  const room: Room = { kind, code };
  for (const guest of guests) {
    await guest.ask('rooms/askToJoin', room);
    await host.ask('rooms/acceptRequest', { ...room, uid: guest.person.uid });
  }
  return room;
}

/** Runs `work` over `items`, at most `width` at a time. */
export async function inWaves<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item !== undefined) results[index] = await work(item, index);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}
