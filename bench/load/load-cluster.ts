/**
 * Several processes over PostgreSQL and Redis on this machine: a room across two of them, rooms of their own on three,
 * and the end of one of the three.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { inWaves } from '@tunemate/testkit/worlds/crowd';
import { makeLargeCrowd } from './large-crowd.ts';
import type { Person } from '@tunemate/testkit/worlds/people';
import { percentile } from '@tunemate/testkit/percentile';
import { startPostgres } from '@tunemate/testkit/services/postgres';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { startRedis } from '@tunemate/testkit/services/redis';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { comeBack } from './load-crowds.ts';
import { actions, type Chat, type FanOut, openRoom, roomChat, seatAll, seatAllAtOnce } from './load-figures.ts';
import { comeIn, type Cost, type Here, measure, width } from './load-parts.ts';

/** Runs `work` with so many processes over one PostgreSQL that has `count` people. */
async function onProcesses<Result>(
  processes: number,
  count: number,
  work: (servers: readonly ServerProcess[], people: readonly Person[]) => Promise<Result>,
): Promise<Result> {
  const [postgres, redis, data] = [
    await startPostgres({ durable: true }),
    await startRedis(),
    await makeTempDir('bench'),
  ];
  const database = await postgres.createDatabase();
  const servers: ServerProcess[] = [];
  try {
    const { people } = await makeLargeCrowd(database.url, { count, rooms: 0, perRoom: 0, messages: 0 });
    const env = { DATABASE_URL: database.url, REDIS_URL: redis.url, RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' };
    for (let n = 0; n < processes; n += 1) servers.push(await startServerProcess({ dataDir: data.path, env }));
    return await work(servers, people);
  } finally {
    for (const server of servers) await server.dispose();
    await database.drop();
    await redis.stop();
    await postgres.stop();
    await data.remove();
  }
}

export interface Cluster {
  join: Cost;
  fanOut: FanOut;
  chats: Chat[];
}

/** Each person is on the one process or the other, in turns. */
export function cluster(count: number, paces: readonly number[]): Promise<Cluster> {
  return onProcesses(2, count, async (servers, people) => {
    const pids = servers.map(({ pid }) => pid);
    const everyone = await inWaves(people, width, (person, n) => comeIn(servers[n % 2]?.url ?? '', person));
    const [host, ...guests] = everyone as [Here, ...Here[]];
    const room = await openRoom(host);
    const join = await measure(pids, () => seatAll(host, guests, room));
    const fanOut = await actions(everyone, room, { count: 40, perSecond: 5 }, servers);
    const few = everyone.slice(0, 200);
    const [talker, ...others] = few as [Here, ...Here[]];
    const small = await openRoom(talker, 'audio');
    await seatAll(talker, others, small);
    const chats: Chat[] = [];
    for (const pace of paces) chats.push(await roomChat(few, small, pace, pids));
    for (const { wire } of everyone) wire.close();
    return { join, fanOut, chats };
  });
}

const perRoom = 100;
const chatPace = 60;

/** A room for each process with all of its people there, as a balancer that hashes rooms places them. */
async function roomEach(servers: readonly ServerProcess[], people: readonly Person[]) {
  const rooms = [];
  for (const [n, server] of servers.entries()) {
    const members = people.slice(n * perRoom, (n + 1) * perRoom);
    const there = await inWaves(members, width, (person) => comeIn(server.url, person));
    const [host, ...guests] = there as [Here, ...Here[]];
    const room = await openRoom(host, 'audio');
    await seatAllAtOnce(host, guests, room);
    rooms.push({ server, members, there, room });
  }
  return rooms;
}

/** CPU milliseconds of the servers for one message, while each of so many processes has a room that talks. */
export function separateRooms(processes: number): Promise<number> {
  return onProcesses(processes, processes * perRoom, async (servers, people) => {
    const rooms = await roomEach(servers, people);
    const talk = () => Promise.all(rooms.map(({ there, room }) => roomChat(there, room, chatPace, [])));
    await talk();
    const cost = await measure(
      servers.map(({ pid }) => pid),
      talk,
    );
    return (cost.cpu * 1000) / (chatPace * 6 * processes);
  });
}

export interface OneGone {
  /** Seconds until 95 % of the people of the killed process are in their room again, on another one. */
  backP95: number;
  /** What the slowest messages of the other rooms took before the end of the process, and in the seconds after it. */
  p99Before: number;
  p99After: number;
  missing: number;
}

/** One of three processes is killed while the rooms of the others talk. */
export function oneOfThreeGone(): Promise<OneGone> {
  return onProcesses(3, 3 * perRoom, async (servers, people) => {
    const [gone, ...others] = await roomEach(servers, people);
    if (!gone) throw new Error('no room');
    const talk = () => Promise.all(others.map(({ there, room }) => roomChat(there, room, chatPace / 3, [])));
    await talk();
    const before = await talk();
    const talking = talk();
    await pause(1000);
    await gone.server.kill();
    for (const { wire } of gone.there) wire.close();
    const startMs = performance.now();
    const back: number[] = [];
    await inWaves(gone.members, perRoom, async (person) => {
      // A balancer has taken the process out by then; its rooms move to one that is left.
      await comeBack(others[0]?.server.url ?? '', person, gone.room);
      back.push((performance.now() - startMs) / 1000);
    });
    const after = await talking;
    const worst = (chats: readonly Chat[]) => Math.max(...chats.map(({ p99 }) => p99));
    return {
      backP95: percentile(back, 0.95),
      p99Before: worst(before),
      p99After: worst(after),
      missing: after.reduce((sum, { missing }) => sum + missing, 0),
    };
  });
}
