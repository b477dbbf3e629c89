import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { lowerPriority } from './ffmpeg.ts';

test.each([
  { began: '0', becomes: 5 },
  { began: '15', becomes: 15 },
])('a process of priority $began comes to $becomes when 5 is asked for', async ({ began, becomes }) => {
  const child = spawn('nice', ['-n', began, 'cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  // It answers once `nice` has become `cat`.
  child.stdin.write('?');
  await once(child.stdout, 'data');
  const before = getPriority(0);
  lowerPriority(child.pid ?? 0, before + 5);
  expect(getPriority(child.pid)).toBe(before + becomes);
  child.stdin.end();
  await ended;
});
