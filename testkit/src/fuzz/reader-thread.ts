/** Lets readers read mutated files, and says which one it reads. What it leaves unhandled ends the thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeTempDir } from '../services/temp-dir.ts';
import { seededRandom } from '../seeded-ids.ts';
import { mutated } from './mutations.ts';
import { openReader } from './readers.ts';
import type { Part, ReaderNews } from './reader-fuzz.ts';

const { seed, parts } = workerData as { seed: number; parts: readonly Part[] };
const say = (news: ReaderNews) => parentPort?.postMessage(news, []);

await using folder = await makeTempDir('reader');
for (const { reader: name, from, to } of parts) {
  const reader = await openReader[name](folder.path);
  for (let number = from; number < to && reader.seeds.length > 0; number += 1) {
    const bytes = mutated(seededRandom(seed * 1_000_003 + number), reader.seeds);
    say({ type: 'begun', reader: name, number, bytes });
    const before = process.threadCpuUsage();
    const fault = await reader.read(bytes).then(
      () => null,
      (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
    const { user, system } = process.threadCpuUsage(before);
    say({ type: 'read', cpuMs: (user + system) / 1000, fault });
  }
  await reader.close?.();
}
