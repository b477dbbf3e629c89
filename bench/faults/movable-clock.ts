/**
 * Loaded before a server (`--import`): its machine's clock is as wrong as the file of its process says, which is read at
 * SIGUSR2. Timers go on as before, as they do when a real clock is set.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const rightNow = Date.now;
let offMs = 0;
Date.now = () => rightNow() + offMs;

process.on('SIGUSR2', () => {
  const file = join(process.env['TEST_CLOCK_DIR'] ?? '.', String(process.pid));
  offMs = Number(readFileSync(file, 'utf8'));
  // Who asked sees by this that it is done.
  rmSync(file);
});
