/**
 * The program in which pictures of strangers are decoded: started, fed and killed by picture-reader.ts. A picture that
 * takes too much memory, or breaks the decoder, ends this process and not the server.
 */
import { writeFileSync } from 'node:fs';
import { decodeImage } from './image-decoding.ts';

/** The one argument: how much memory all of this may take. */
const maxMemoryBytes = Number(process.argv[2]) * 1024 * 1024;
const pollEveryMs = 20;

/** At once: an orderly exit waits for the decoder's threads. */
const die = () => void process.kill(process.pid, 'SIGKILL');

// The decoder's memory is not the engine's, so no flag bounds it. Its threads leave this one free to look.
setInterval(() => {
  if (process.memoryUsage.rss() > maxMemoryBytes) die();
}, pollEveryMs);

try {
  // Linux: when the machine itself runs out of memory, this process goes first.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Elsewhere the limit above has to do.
}

// The server went without a word.
process.on('disconnect', die);
// Ctrl+C reaches everything in the terminal; the server finishes what runs before it ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.on('message', (bytes: Uint8Array) => {
  void decodeImage(bytes).then((image) => process.send?.(image));
});
process.send?.('ready');
