/**
 * A crowd joins one room: seconds, server CPU and bytes sent, beside a bare ws server in the same run.
 * Usage: npm run bench -- rooms [members …]   (default 125 250 500)
 */
import { join } from 'node:path';
import { roomStream, type StreamId } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { arrived } from '@tunemate/testkit/network/load-line';
import { connect, inWaves, makePeople, type Member, received } from '@tunemate/testkit/worlds/crowd';
import { type Here, startBare } from '../load/load-parts.ts';
import { cpuSeconds, residentMb } from '../load/process-cost.ts';

const sizes = process.argv.slice(2).map(Number).filter(Boolean);
const width = 50;

interface Row {
  server: string;
  members: number;
  seconds: number;
  cpuSeconds: number;
  megabytes: number;
  bytesPerMemberAndChange: number;
  memoryMb: number;
}

function row(
  server: string,
  members: number,
  joined: { seconds: number; cpu: number; bytes: number },
  pid: number,
): Row {
  return {
    server,
    members,
    seconds: joined.seconds,
    cpuSeconds: joined.cpu,
    megabytes: joined.bytes / 1e6,
    bytesPerMemberAndChange: joined.bytes / members / members,
    memoryMb: residentMb(pid),
  };
}

/** From the first request to join until every member's list shows every other member. */
async function measure(pid: number, work: () => Promise<void>) {
  const bytes = () => received.bytes + arrived.bytes;
  const before = { ms: performance.now(), cpu: cpuSeconds(pid), bytes: bytes() };
  await work();
  return {
    seconds: (performance.now() - before.ms) / 1000,
    cpu: cpuSeconds(pid) - before.cpu,
    bytes: bytes() - before.bytes,
  };
}

async function runTunemate(members: number): Promise<Row> {
  const data = await makeTempDir('bench-rooms');
  const people = await makePeople(`sqlite:${join(data.path, 'tunemate.sqlite')}`, members);
  const server = await startServerProcess({ dataDir: data.path, env: { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' } });
  const everyone = await inWaves(people, width, (person) => connect(server.url, person));
  const [host, ...guests] = everyone as [Member, ...Member[]];
  const { code } = await host.ask('rooms/create', { clientId: newClientId(), kind: 'video', name: 'The crowd' });
  const room = { kind: 'video' as const, code };
  const { room: document } = await host.ask('rooms/enter', room);
  const stream = roomStream(document.roomId);
  const joined = await measure(server.pid, async () => {
    const lists = new Map(everyone.map((member) => [member, watchList(member, stream, members)]));
    lists.get(host)?.learn([host.person.uid], 1);
    await inWaves(guests, width, async (guest) => {
      await guest.ask('rooms/askToJoin', room);
      await host.ask('rooms/acceptRequest', { ...room, uid: guest.person.uid });
      const { room: seen } = await guest.ask('rooms/enter', room);
      lists.get(guest)?.learn(
        seen.participants.map(({ uid }) => uid),
        seen.people,
      );
    });
    await Promise.all(Array.from(lists.values(), ({ complete }) => complete));
  });
  const result = row('Tunemate', members, joined, server.pid);
  everyone.forEach((member) => member.line.disconnect());
  await server.dispose();
  await data.remove();
  return result;
}

/** Whom this member knows to be in the room; complete once that is everybody, by name or by their number. */
function watchList({ line }: Member, stream: StreamId, members: number) {
  const { promise: complete, resolve } = Promise.withResolvers<void>();
  const known = new Set<string>();
  const learn = (uids: readonly string[], people: number): void => {
    for (const uid of uids) known.add(uid);
    if (known.size === members || people === members) resolve();
  };
  line.on('entries', (batch) => {
    if (batch.stream !== stream) return;
    for (const change of batch.changes) {
      if (change.type === 'rooms/participantJoined') learn([change.participant.uid], 0);
      if (change.type === 'rooms/headCount') learn([], change.people);
    }
  });
  line.on('disconnect', () => resolve());
  return { learn, complete };
}

async function runBare(members: number): Promise<Row> {
  const bare = await startBare();
  const everyone = await inWaves([...Array(members).keys()], width, () => bare.connect());
  const joined = await measure(bare.pid, async () => {
    const complete = everyone.map((here, index) => whoIsThere(here, index, members));
    await inWaves(complete, width, async ({ come }) => come());
    await Promise.all(complete.map(({ all }) => all));
  });
  const result = row('bare ws', members, joined, bare.pid);
  everyone.forEach(({ wire }) => wire.close());
  bare.stop();
  return result;
}

function whoIsThere(here: Here, index: number, members: number) {
  const known = new Set<string>();
  const { promise: all, resolve } = Promise.withResolvers<void>();
  const meet = (frame: string) => {
    for (const [uid] of frame.matchAll(/A\d{21}/g)) known.add(uid);
    if (known.size === members) resolve();
  };
  here.onEvent = meet;
  const uid = `A${String(index).padStart(21, '0')}`;
  const come = async () => meet(await here.wire.ask('join', { uid, name: `Listener ${String(index)}`, online: true }));
  return { all, come };
}

const rows: Row[] = [];
for (const members of sizes.length > 0 ? sizes : [125, 250, 500]) {
  rows.push(await runBare(members), await runTunemate(members));
}
console.table(
  rows.map((each) =>
    Object.fromEntries(
      Object.entries(each).map(([key, value]) => [
        key,
        typeof value === 'number' ? Number(value.toPrecision(4)) : value,
      ]),
    ),
  ),
);
process.exit(0);
