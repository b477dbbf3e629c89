/**
 * Loaded before a program (`--import`): kills it as a loss of power would, just before or after one of its calls that change
 * something on the disk. `DIE_AT` is the number of that moment: 2n is before call n, 2n + 1 behind it. Without it the number
 * of calls is written into the file `DIE_COUNT` at the end. `DIE_CALLS` names the calls that count, otherwise all do.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type Call = (...args: unknown[]) => unknown;

const all = ['chmod', 'copyFile', 'cp', 'link', 'mkdir', 'mkdtemp', 'open', 'rename', 'rm', 'writeFile'];
const names = process.env['DIE_CALLS']?.split(' ') ?? all;
const at = Number(process.env['DIE_AT'] ?? Number.NaN);
const countFile = process.env['DIE_COUNT'];
const write = fs.writeFileSync;
let calls = 0;

function dieAt(moment: number): void {
  if (moment === at) process.kill(process.pid, 'SIGKILL');
}

const promised = fs.promises as unknown as Record<string, Call>;
const waiting = fs as unknown as Record<string, Call>;
for (const name of names) {
  const later = promised[name];
  promised[name] = async (...args) => {
    const call = calls++;
    dieAt(2 * call);
    const answer = await later?.apply(promised, args);
    dieAt(2 * call + 1);
    return answer;
  };
  const now = waiting[`${name}Sync`];
  waiting[`${name}Sync`] = (...args) => {
    const call = calls++;
    dieAt(2 * call);
    const answer = now?.apply(waiting, args);
    dieAt(2 * call + 1);
    return answer;
  };
}
syncBuiltinESMExports();

process.on('exit', () => {
  if (countFile !== undefined) write(countFile, String(calls));
});
