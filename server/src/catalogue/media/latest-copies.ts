/** Copies of tracks that people play, and not of everything. The latest of them stay on the disk. */
import type { Rewrite, SentFile } from './exact-copies.ts';
import { madeFiles, type Unfinished } from './made-files.ts';
import { kinds, type MediaWork } from './media-work.ts';

/** Copies that stay: some evenings of music, about 3 GB. */
const mostCopies = 500;
/** Tracks that wait; the others are copied when they play again. */
const mostWaiting = 50;
const mime = 'audio/mp4';

export interface LatestCopiesParts {
  work: MediaWork;
  /** Null when this machine has no ffmpeg. */
  findRewrite: (ending: AbortSignal) => Promise<Rewrite | null>;
  /** By default 500. */
  most?: number;
}

/** As `Write`. */
type MakeLatest = (place: Unfinished & { rewrite: Rewrite; signal: AbortSignal }) => Promise<boolean>;
interface Wanted {
  title: string;
  make: MakeLatest;
}

export async function latestCopies(
  kind: 'played-copies' | 'even-copies',
  { work, findRewrite, most = mostCopies }: LatestCopiesParts,
) {
  const files = madeFiles(work, kind);
  const { extension } = kinds[kind];
  const { log, signal } = work;
  const waiting = new Map<string, Wanted>();
  await files.look();

  async function makeOne([name, { title, make }]: [string, Wanted]): Promise<boolean> {
    const rewrite = await findRewrite(signal);
    if (rewrite === null) return false;
    if (await files.hasRoom()) {
      await files.look();
      await files.make(name, { track: title }, (place) => make({ ...place, rewrite, signal }));
      await files.keepLatest(most);
    }
    return waiting.delete(name);
  }

  return {
    /** Null while there is none. `name` is without an extension. */
    of(name: string): SentFile | null {
      const path = files.of(name + extension);
      return path === null ? null : { path, mime };
    },
    forget: ({ path }: SentFile) => files.forget(path),
    /** Makes it in the background, unless it exists, failed before, or too many wait. */
    want(named: string, title: string, make: MakeLatest): void {
      const name = named + extension;
      if (!files.isWanted(name) || waiting.size >= mostWaiting) return;
      waiting.set(name, { title, make });
      void work.run(kind, () =>
        work
          .each(kind, waiting, makeOne)
          .catch((error: unknown) => log.warn({ err: error }, 'catalogue.copies-failed'))
          // Those that wait for a disk that is gone must not keep out those that come once it is back.
          .finally(() => waiting.clear()),
      );
    },
  };
}
