/** Two processes over PostgreSQL and Redis on this machine: joining, telling everybody, and chat. */
import { inWaves } from '@tunemate/testkit/worlds/crowd';
import { makeLargeCrowd } from '@tunemate/testkit/worlds/large-crowd';
import { startPostgres } from '@tunemate/testkit/services/postgres';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { startRedis } from '@tunemate/testkit/services/redis';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { actions, type Chat, type FanOut, openRoom, roomChat, seatAll } from './load-figures.ts';
import { comeIn, type Cost, type Here, measure, width } from './load-parts.ts';

export interface Cluster {
  join: Cost;
  fanOut: FanOut;
  chats: Chat[];
}

/** Everybody is on the one process or the other, in turns. */
export async function cluster(count: number, paces: readonly number[]): Promise<Cluster> {
  const [postgres, redis, data] = [
    await startPostgres({ durable: true }),
    await startRedis(),
    await makeTempDir('bench'),
  ];
  const database = await postgres.createDatabase();
  const { people } = await makeLargeCrowd(database.url, { count, rooms: 0, perRoom: 0, messages: 0 });
  const env = { DATABASE_URL: database.url, REDIS_URL: redis.url, RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' };
  const servers: ServerProcess[] = [];
  for (let n = 0; n < 2; n += 1) servers.push(await startServerProcess({ dataDir: data.path, env }));
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
  for (const server of servers) await server.dispose();
  await database.drop();
  await redis.stop();
  await postgres.stop();
  await data.remove();
  return { join, fanOut, chats };
}
