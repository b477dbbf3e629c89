/**
 * The program in which untrusted pictures are decoded, started and killed by image-reader.ts. A picture that takes too
 * much memory, or crashes the decoder, ends this process and not the server.
 */
import { writeFileSync } from 'node:fs';
import { decodeImage } from './image-decoding.ts';

/** The only argument: the memory limit of the whole process. */
const maxMemoryBytes = Number(process.argv[2]) * 1024 * 1024;
const pollEveryMs = 20;

/** Exits at once: an orderly exit would wait for the decoder's threads. */
const die = () => void process.kill(process.pid, 'SIGKILL');

// The decoder's memory is not on the JavaScript heap, so no flag limits it. This thread is free to check it.
setInterval(() => {
  if (process.memoryUsage.rss() > maxMemoryBytes) die();
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
  void decodeImage(bytes).then((image) => process.send?.(image));
});
process.send?.('ready');
