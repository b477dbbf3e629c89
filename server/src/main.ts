/**
 * Starts the server from the environment, and stops it in order. Nothing else may read the environment or end the
 * process.
 */
import { createApp } from './app/app.ts';
import { type Config, readConfig } from './config.ts';
import { createLog } from './system/logging.ts';
import { asError, errorLines, escapeUnprintable } from './system/printable.ts';
import { randomIds, systemClock } from './system/machine.ts';
import { startFailureLine } from './system/start-failure.ts';

/** The process exits after this even when something fails to close. */
const closeWithinMs = 10_000;
/**
 * 0 means that the stop was requested. A supervisor restarts after a crash, and not after a start that can't succeed
 * (docs/operating.md).
 */
const exitCodes = { startFailed: 1, crashed: 70 };

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function failStart(error: unknown, config: Config | null): never {
  const line = startFailureLine(error, config);
  const lines = line === null ? errorLines(asError(error)) : [line];
  process.stderr.write(`${lines.map(escapeUnprintable).join('\n')}\n`);
  process.exit(exitCodes.startFailed);
}

async function start(): Promise<void> {
  // The reader of the log may close the pipe; the server goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    return failStart(error, null);
  }
  const log = createLog(config.logLevel);
  const sayIfRead = (line: string) => (process.stdout.isTTY ? say(escapeUnprintable(line)) : undefined);
  const parts = { clock: systemClock(), ids: randomIds(), log, say: sayIfRead };
  const app = await createApp(config, parts).catch((error: unknown) => failStart(error, config));

  let isEnding = false;
  const end = (exitCode: number, why: string) => {
    if (isEnding) return;
    isEnding = true;
    log.info({ why }, 'server.closing');
    setTimeout(() => {
      log.warn({ why }, 'server.closed-by-force');
      process.exit(exitCode);
    }, closeWithinMs).unref();
    // Failures to close are in the log; the stop was requested, so the exit code stays 0.
    void app.close().finally(() => process.exit(exitCode));
  };
  process.on('SIGTERM', () => end(0, 'SIGTERM'));
  process.on('SIGINT', () => end(0, 'SIGINT'));
  // After a bug the state of the process is unknown: finish what runs, and let a supervisor restart it.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.error({ err: error, event }, 'server.failed');
      end(exitCodes.crashed, event);
    });
  }

  await app.listen().catch((error: unknown) => failStart(error, config));
  const { protocol, hostname } = new URL(app.url);
  if (protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    log.warn(
      { publicUrl: app.url, advice: 'passwords travel unencrypted; use an https PUBLIC_URL' },
      'server.unencrypted',
    );
  }
  const { url, networkUrls } = app;
  log.info({ url, ...(networkUrls.length > 0 ? { onThisNetwork: networkUrls } : {}) }, 'server.ready');
  if (process.stdout.isTTY) {
    const heads = ['On this network:    ', ...networkUrls.slice(1).map(() => '                    ')];
    const elsewhere = networkUrls.map((each, index) => `\n  ${heads[index] ?? ''} ${each}`).join('');
    say(`\n  Tunemate is running: ${url}${elsewhere}\n`);
    if (await app.needsOperator()) say(`  Make the first account: ${url}/signup\n`);
  }
}

await start();
