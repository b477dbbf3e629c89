/** Runs the server in our place and starts it again when it crashes; not after a request to end, which is passed on. */
import { spawn } from 'node:child_process';
import { root } from './paths.mjs';
import { decideRestart } from './restart-pause.mjs';
import { whenNpmEnds } from './run-through.mjs';

/** Ends this program as the last run of `command` ended. */
export function keepRunning(command, args, env = process.env) {
  let child = null;
  let crashes = 0;
  let isEnding = false;
  let waiting;

  function end(signal, passOn = true) {
    isEnding = true;
    // Between two runs there is no child to signal.
    if (waiting !== undefined) process.exit(0);
    if (passOn) child?.kill(signal);
  }

  function run() {
    waiting = undefined;
    const startedMs = performance.now();
    child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
    child.on('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      process.exit(1);
    });
    child.on('exit', (code, signal) => {
      const decision = decideRestart({ code, ranMs: performance.now() - startedMs, crashesBefore: crashes });
      // A child that was still starting may have missed the signal.
      if (isEnding) process.exit(code ?? 0);
      if (!decision.again) process.exit(code ?? 1);
      crashes = decision.crashes;
      const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
      console.error(`The server ended ${how}. Starting it again in ${decision.pauseMs / 1000} s.`);
      waiting = setTimeout(run, decision.pauseMs);
    });
  }

  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    // A terminal sends Ctrl-C to the child too; a second one would ask it to hurry.
    process.on(signal, () => end(signal, signal !== 'SIGINT' || !process.stdin.isTTY));
  }
  whenNpmEnds(() => end('SIGTERM'));
  run();
}
