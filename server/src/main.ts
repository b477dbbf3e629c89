/**
 * Starts the server from the environment, and ends it in order. Nothing else may read the environment or end the process.
 */
import { createApp } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { createLog } from './logging.ts';
import { errorLines, escapeUnprintable } from './printable.ts';
import { randomIds } from './random-ids.ts';
import { startFailureLine } from './start-failure.ts';
import { systemClock } from './system-clock.ts';

/** Ends even when something does not let go. */
const closeWithinMs = 10_000;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function failStart(error: unknown, config: Config | null): never {
  const line = startFailureLine(error, config);
  const lines = line === null ? errorLines(error instanceof Error ? error : { message: String(error) }) : [line];
  process.stderr.write(`${lines.map(escapeUnprintable).join('\n')}\n`);
  process.exit(1);
}

async function start(): Promise<void> {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    return failStart(error, null);
  }
  const log = createLog(config.logLevel);
  const app = await createApp(config, { clock: systemClock(), ids: randomIds(), log }).catch((error: unknown) =>
    failStart(error, config),
  );

  let isEnding = false;
  const end = (exitCode: number, why: string) => {
    if (isEnding) return;
    isEnding = true;
    log.info({ why }, 'server.closing');
    setTimeout(() => process.exit(exitCode || 1), closeWithinMs).unref();
    app.close().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        log.error({ err: error }, 'server.close-failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end(0, 'SIGTERM'));
  process.on('SIGINT', () => end(0, 'SIGINT'));
  // A bug left the process in a state that nobody thought of: finish what runs, and let a supervisor start afresh.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.error({ err: error, event }, 'server.failed');
      end(1, event);
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
    const elsewhere = networkUrls.map((each) => `\n  On another device of this network: ${each}`).join('');
    say(`\n  Tunemate is ready: ${url}${elsewhere}\n`);
  }
}

await start();
