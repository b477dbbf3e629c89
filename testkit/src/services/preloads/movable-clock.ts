/**
 * Loaded before a server (`--import`): its machine's clock is as wrong, and its machine has slept as long, as the file of its
 * process says (`OFF SLEPT`, in milliseconds), which is read at SIGUSR2. `WRONG_CLOCK_MS` is how wrong it is from the start.
 * Timers go on as before, as they do when a real clock is set.
 */
import { readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';

const [rightNow, rightUptime] = [Date.now, os.uptime];
let [offMs, sleptMs] = [Number(process.env['WRONG_CLOCK_MS'] ?? 0), 0];
Date.now = () => rightNow() + offMs;
os.uptime = () => rightUptime() + sleptMs / 1000;

process.on('SIGUSR2', () => {
  const file = join(process.env['TEST_CLOCK_DIR'] ?? '.', String(process.pid));
  const [off = 0, slept = 0] = readFileSync(file, 'utf8').split(' ').map(Number);
  [offMs, sleptMs] = [off, slept];
  // Who asked sees by this that it is done.
  rmSync(file);
});
