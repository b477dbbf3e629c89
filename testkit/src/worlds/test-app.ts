/**
 * The whole server within the test's own process: real HTTP on a free port, a clock that the test moves, a database and
 * an outbox of its own.
 */
import { join } from 'node:path';
import { type App, createApp } from '../../../server/src/app/app.ts';
import { readConfig } from '../../../server/src/config.ts';
import type { Log } from '../../../server/src/system/ports.ts';
import type { PublicLine } from '../../../server/src/system/outside.ts';
import { randomIds } from '../../../server/src/system/machine.ts';
import { closedWithTest } from '../closed-with-test.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { createHttpVisitor, type HttpVisitor } from '../network/http-visitor.ts';
import { writeMigratedSqlite } from '../services/migrated-sqlite.ts';
import { readOutbox, waitForMail } from '../services/outbox.ts';
import { makeTempDir } from '../services/temp-dir.ts';

export interface TestAppOptions {
  /** Settings; limits are off unless RATE_LIMIT_SCALE says otherwise. */
  readonly env?: Readonly<Record<string, string>>;
  readonly databaseUrl?: string;
  /** Shared by several apps that stand for several processes. */
  readonly clock?: FakeClock;
  /** The database's own time instead, as in production; a test can't move that. */
  readonly hasSharedTime?: boolean;
  /** The built web application, where a test needs one. */
  readonly webDir?: string;
  /** Where the pages of previews are. */
  readonly previewLine?: PublicLine;
  /** Hears of every statement that the database is given. */
  readonly onStatement?: (statement: string) => void;
  /** Unless this is false, tasks in the background run only by `runBackground`, as time stands still. */
  readonly isStill?: boolean;
}

/** A log line: its level, event and fields. */
export interface LogLine {
  readonly level: keyof Log;
  readonly event: string;
  readonly fields: object;
}

export interface TestApp {
  readonly app: App;
  /** Its own address, as links and origin checks have it. */
  readonly url: string;
  readonly clock: FakeClock;
  readonly dataDir: string;
  readonly outbox: string;
  readonly log: readonly LogLine[];
  /** A browser with a cookie jar of its own, on one of our pages. */
  visitor(): HttpVisitor;
  /** The one-time code of the `count`th mail to this address. */
  codeFor(email: string, count?: number): Promise<string>;
  /** Runs `act` and waits for the mail that it causes: two that wait at one moment of the clock have no order. */
  mailed<T>(email: string, act: () => Promise<T>): Promise<T>;
  /** Someone who signed up and verified, and is signed in by that. */
  member(name: string): Promise<HttpVisitor>;
  /** At the end of the test that started it, it closes by itself. */
  close(): Promise<void>;
}

/** A password that no rule refuses. */
export const goodPassword = 'three green bicycles';
/** The address of a test person. */
export const emailOf = (name: string): string => `${name.toLowerCase()}@example.org`;

interface SharedFolder {
  readonly folder: Awaited<ReturnType<typeof makeTempDir>>;
  apps: number;
}
const foldersByDatabase = new Map<string, Promise<SharedFolder>>();

/** As processes do, apps on one database share a data folder: any of them may write a mail that another queued. */
async function openDataFolder(databaseUrl: string | undefined) {
  const make = async (): Promise<SharedFolder> => ({ folder: await makeTempDir('app'), apps: 0 });
  const opened = (databaseUrl !== undefined && foldersByDatabase.get(databaseUrl)) || make();
  if (databaseUrl !== undefined) foldersByDatabase.set(databaseUrl, opened);
  const shared = await opened;
  shared.apps += 1;
  return {
    path: shared.folder.path,
    async leave(): Promise<void> {
      shared.apps -= 1;
      if (shared.apps > 0) return;
      if (databaseUrl !== undefined) foldersByDatabase.delete(databaseUrl);
      await shared.folder.remove();
    },
  };
}

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { env = {}, databaseUrl, clock = createFakeClock(), hasSharedTime = false, webDir } = options;
  const dir = await openDataFolder(databaseUrl);
  const log: LogLine[] = [];
  const keep = (level: keyof Log) => (fields: object, event: string) => void log.push({ level, fields, event });
  const config = readConfig({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: dir.path, RATE_LIMIT_SCALE: '0', ...env });
  if (databaseUrl !== undefined) config.databaseUrl = databaseUrl;
  else if (env['DATABASE_URL'] === undefined) await writeMigratedSqlite(join(dir.path, 'tunemate.sqlite'));
  const app = await createApp(config, {
    clock,
    ids: randomIds(),
    log: { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') },
    webDir: webDir ?? join(dir.path, 'no-web'),
    pushToLoopback: true,
    previewLine: options.previewLine,
    isStrict: true,
    onStatement: options.onStatement,
    keepsOwnTime: !hasSharedTime,
    mayDiffer: true,
    isStill: options.isStill ?? true,
  });
  await app.listen();
  const outbox = join(dir.path, 'outbox');
  const address = `http://127.0.0.1:${String(app.port)}`;

  const visitor = () => createHttpVisitor(address, app.url);
  const codeFor = async (email: string, count = 1): Promise<string> => {
    const { links } = await waitForMail(outbox, email, count);
    return new URL(links[0] ?? app.url).searchParams.get('oobCode') ?? '';
  };
  return {
    app,
    url: app.url,
    clock,
    dataDir: dir.path,
    outbox,
    log,
    visitor,
    codeFor,
    async mailed(email, act) {
      const before = (await readOutbox(outbox)).filter(({ to }) => to.includes(email));
      const done = await act();
      await waitForMail(outbox, email, before.length + 1);
      return done;
    },
    async member(name) {
      const person = visitor();
      const email = emailOf(name);
      await person.call('POST /api/accounts/sign-up', { name, email, password: goodPassword });
      await person.call('POST /api/accounts/verify-email', { oobCode: await codeFor(email) });
      return person;
    },
    close: closedWithTest(async () => {
      await app.close();
      await dir.leave();
    }),
  };
}
