/** Runs a program in our place: it gets our terminal and our signals, and its end is our end. */
import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

const lookForParentEveryMs = 200;

/** Starts `command` and ends this program as it ends. */
export function runThrough(command, args, env = process.env) {
  const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child too; a second one would ask it to hurry.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  whenNpmEnds(() => child.kill('SIGTERM'));
  child.on('error', (error) => {
    console.error(`${command} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Calls back when the npm that runs us has ended: npm ends its shell only, and this program would be left running. */
export function whenNpmEnds(callback) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    callback();
  }, lookForParentEveryMs);
  watch.unref();
}
