/** Composes the video service: its calls, what they may cost, and what it has answered. */
import type { VideoId } from '@tunemate/protocol';
import type { Config } from '../../../config.ts';
import type { Limits } from '../../../access/limits.ts';
import type { Db } from '../../../storage/schema.ts';
import type { Clock, Log } from '../../../system/ports.ts';
import { storedMemory } from './search-memory.ts';
import { searchShares } from './search-shares.ts';
import { answersKeptMs, defaultAllowances, titleRecalled, videoCalls } from './video-calls.ts';
import { youtubeSource } from './youtube-source.ts';

export interface YoutubeParts extends Pick<Config, 'youtubeApiKey' | 'youtubeApiUrl'> {
  /** RATE_LIMIT_SCALE; the daily quota is the service's own limit and is not scaled. */
  limitScale: number;
  limits: Limits;
  db: Db;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

export type Youtube = ReturnType<typeof openYoutube>;

/** More than can be used, and still an integer in every database. */
const unlimited = 1_000_000_000;

function allowancesFor(limitScale: number): typeof defaultAllowances {
  const scaled = (count: number) => (limitScale === 0 ? unlimited : Math.max(1, count * limitScale));
  const { hostPerHour, lookUpsPerHour } = defaultAllowances;
  return { ...defaultAllowances, hostPerHour: scaled(hostPerHour), lookUpsPerHour: scaled(lookUpsPerHour) };
}

export function openYoutube({ youtubeApiKey: key, youtubeApiUrl: baseUrl, limitScale, ...parts }: YoutubeParts) {
  const { limits, db, clock, log } = parts;
  const source = key === null ? null : youtubeSource({ baseUrl, key });
  const memory = storedMemory(db);
  const allowances = allowancesFor(limitScale);
  const shares = searchShares({ limits, db, clock });
  return {
    /** Null without a key. */
    calls: source && videoCalls({ source, memory, shares, clock, log, allowances }),
    /** What the service has said within a day that a video is called; null where it was not asked. */
    knownTitle: (id: VideoId) => titleRecalled(memory, clock, id),
    /** Deletes expired answers and budgets; runs at intervals. */
    prune: () => memory.forget(clock.now() - answersKeptMs, clock.now()),
    close: () => source?.close(),
  };
}
