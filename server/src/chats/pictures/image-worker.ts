/**
 * The program in which untrusted pictures are decoded, started and killed by image-reader.ts. A picture that takes too
 * much memory or processor time, or crashes the decoder, ends this process and not the server.
 */
import { writeFileSync } from 'node:fs';
import { decodeImage } from './image-decoding.ts';

/** The arguments: the memory of the whole process in MB, and the processor time of one picture in ms. */
const maxMemoryBytes = Number(process.argv[2]) * 1024 * 1024;
const maxCpuMs = Number(process.argv[3]);
const pollEveryMs = 20;

/** Exits at once: an orderly exit would wait for the decoder's threads. */
const die = () => void process.kill(process.pid, 'SIGKILL');

/** Processor time of this process before it began the picture it is decoding; null between pictures. */
let before: NodeJS.CpuUsage | null = null;

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

// The decoder's memory is not on the JavaScript heap, so no flag limits it. This thread is free to check both.
setInterval(() => {
  if (process.memoryUsage.rss() > maxMemoryBytes || (before !== null && cpuMs(before) > maxCpuMs)) die();
}, pollEveryMs);

try {
  // Linux: when the machine itself runs out of memory, this process goes first.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // On other systems the limit above has to suffice.
}

// The server ended without killing this process.
process.on('disconnect', die);
// Ctrl+C reaches every process of the terminal; the server finishes running work before it ends this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.on('message', (bytes: Uint8Array) => {
  before = process.cpuUsage();
  void decodeImage(bytes).then((image) => {
    before = null;
    process.send?.(image);
  });
});
process.send?.('ready');
