/** One request that writes, through the whole server: it passes the files that its declaration names as its way. */
import { existsSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { roomStream } from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);

/** The files in the doc comment of a socket request, in its order. */
function namedFiles(): string[] {
  const source = readFileSync(new URL('protocol/src/wire/request.ts', root), 'utf8');
  const [before = ''] = source.split('\nexport interface RequestDeclaration');
  const comment = before.slice(before.lastIndexOf('/**'));
  const steps = comment.split('\n').filter((line) => /^ \* \d+\. /.test(line));
  return steps.flatMap((line) => [...line.matchAll(/`([a-z]+\/src\/[^`]+)`/g)].map(([, path = '']) => path));
}

/** The files of the repository of which a function runs meanwhile. */
async function filesThatRun(work: () => Promise<void>): Promise<Set<string>> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ran = result.filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)));
    return new Set(ran.map(({ url }) => url.replace(root.href, '')));
  } finally {
    session.disconnect();
  }
}

test('a request that writes passes each file that its declaration names', async () => {
  const w = await openSocketWorld();
  const [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  const room = await w.room(host, 'audio');
  await w.letIn(host, guest, room);
  const stream = roomStream(valueOf(await guest.ask('rooms/enter', room)).room.roomId);
  const ran = await filesThatRun(async () => {
    valueOf(await host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'hello' }));
    await expect.poll(() => guest.changes(stream).at(-1)?.type).toBe('rooms/messageSent');
  });
  await w.close();
  const named = namedFiles();
  expect(named.length).toBeGreaterThan(12);
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  const ofServer = named.filter((path) => !path.startsWith('web/'));
  expect(ofServer.filter((path) => !ran.has(path))).toEqual([]);
});
