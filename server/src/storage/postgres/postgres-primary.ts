/**
 * Which of several hosts of PostgreSQL takes writes. All are asked again and again. After a promotion it is another one:
 * new connections go there, and those to the one before are cut, also where that still takes writes.
 */
import pg from 'pg';
import { within } from '../../system/within.ts';

const lookEveryMs = 1000;
const answerWithinMs = 2000;

/** The timeline of a server that takes writes; null of a standby. Each promotion begins a higher one. */
const timelineQuery = `select case when pg_is_in_recovery() then null
  else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline`;

interface Found {
  url: string;
  timeline: number;
}

export interface Primary {
  /** Clients that connect to where writes are taken. */
  Client: typeof pg.Client;
  /** Called when that is another host. */
  onMoved(cut: () => void): void;
  /** Whether this client is connected to it. */
  isOf(client: pg.Client): boolean;
  close(): void;
}

/** Of `urls`, one for each host, that of the server that was promoted last; null where none takes writes. */
export async function primaryOf(urls: readonly string[]): Promise<string | null> {
  const [only] = urls;
  return urls.length === 1 && only !== undefined ? only : ((await look(urls))?.url ?? null);
}

async function look(urls: readonly string[]): Promise<Found | null> {
  const timelines = await Promise.all(urls.map((url) => within(answerWithinMs, timelineOf(url), null)));
  const found = urls.flatMap((url, index): Found[] => {
    const timeline = timelines[index] ?? null;
    return timeline === null ? [] : [{ url, timeline }];
  });
  return found.reduce<Found | null>((best, each) => (best && best.timeline >= each.timeline ? best : each), null);
}

async function timelineOf(url: string): Promise<number | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: answerWithinMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } =
      (await within(answerWithinMs, client.query<{ timeline: number | null }>(timelineQuery), null)) ?? {};
    return rows?.[0]?.timeline ?? null;
  } catch {
    return null;
  } finally {
    client.connection.stream.destroy();
  }
}

/** `urls` has one for each host, and more than one. */
export function watchPrimary(urls: readonly string[]): Primary {
  let current: Found | null = null;
  let looking: Promise<void> | null = null;
  const cuts: (() => void)[] = [];

  /** A server that does not answer keeps its place until another one was promoted. */
  async function lookOnce(): Promise<void> {
    const found = await look(urls);
    if (found === null || (current !== null && current.timeline >= found.timeline)) return;
    const isOther = current !== null && current.url !== found.url;
    current = found;
    if (isOther) for (const cut of cuts) cut();
  }
  const lookTogether = (): Promise<void> => (looking ??= lookOnce().finally(() => (looking = null)));
  const timer = setInterval(() => void lookTogether(), lookEveryMs).unref();

  async function hostNow(): Promise<Pick<pg.Client, 'host' | 'port'>> {
    if (current === null) await lookTogether();
    if (current === null) throw Object.assign(new Error('none of its hosts takes writes'), { code: 'EHOSTUNREACH' });
    return hostOf(current.url);
  }

  class PrimaryClient extends pg.Client {
    override connect(): Promise<this>;
    override connect(done: (error: Error) => void): void;
    override connect(done?: (error: Error) => void): unknown {
      const connecting = hostNow().then((host) => Object.assign(this, host) && super.connect());
      if (!done) return connecting;
      connecting.then(() => (done as () => void)(), done);
      return undefined;
    }
  }

  return {
    Client: PrimaryClient,
    onMoved: (cut) => void cuts.push(cut),
    isOf({ host, port }) {
      const now = current && hostOf(current.url);
      return now?.host === host && now.port === port;
    },
    close: () => clearInterval(timer),
  };
}

function hostOf(url: string): Pick<pg.Client, 'host' | 'port'> {
  const { host, port } = new pg.Client({ connectionString: url });
  return { host, port };
}
