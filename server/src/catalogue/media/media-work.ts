/**
 * The one loop in which everything is made of media in the background: pictures of films, copies, measurements. Of each kind
 * one is made at a time. What a person waits for comes first, and the other kinds take turns, so that hours of copies
 * keep out no measurement.
 */
import type { Log } from '../../system/ports.ts';

/**
 * `isAwaited`: a person plays what it is made of. What is files has a folder in DATA_DIR, and what one is called in the log's
 * events; loudness is a row each.
 */
export const kinds = {
  frames: { isAwaited: false, folder: 'film-frames', extension: '.jpg', one: 'frame' },
  copies: { isAwaited: false, folder: 'exact-copies', extension: '.m4a', one: 'copy' },
  // The folder has the name of the first source with such copies: operators and nginx know it.
  'played-copies': { isAwaited: true, folder: 'subsonic-copies', extension: '.m4a', one: 'copy' },
  'even-copies': { isAwaited: true, folder: 'even-copies', extension: '.m4a', one: 'copy' },
  loudness: { isAwaited: false },
} as const;
type Kind = keyof typeof kinds;
export type KindOfFile = Exclude<Kind, 'loudness'>;

/** Of all kinds at once, and of those that no person waits for. Each is a program that runs below the server's priority. */
const most = 3;
const mostOfOthers = 2;

interface Turn {
  isAwaited: boolean;
  begin(): void;
}

export type MediaWork = ReturnType<typeof mediaWork>;

/** `dataDir` is DATA_DIR. */
export function mediaWork({ dataDir, log }: { dataDir: string; log: Pick<Log, 'info' | 'warn'> }) {
  const ending = new AbortController();
  const { signal } = ending;
  const waiting: Turn[] = [];
  const taken = new Set<Turn>();
  const running = new Map<Kind, Promise<void>>();

  function giveTurns(): void {
    const others = [...taken].filter(({ isAwaited }) => !isAwaited).length;
    const next = waiting.find(({ isAwaited }) => isAwaited) ?? (others < mostOfOthers ? waiting[0] : undefined);
    if (next === undefined || (taken.size >= most && !signal.aborted)) return;
    waiting.splice(waiting.indexOf(next), 1);
    taken.add(next);
    next.begin();
    giveTurns();
  }

  return {
    ...{ dataDir, log },
    /** Aborted once the server closes. */
    signal,
    /** Runs the task of a kind, but once the server closes; while one runs, another is that. */
    run(kind: Kind, task: () => Promise<void>): Promise<void> {
      if (signal.aborted) return Promise.resolve();
      const all = running.get(kind) ?? task().finally(() => running.delete(kind));
      running.set(kind, all);
      return all;
    },
    /** Within a task: makes one of each in their order, until `make` answers false or rejects, or the server closes. */
    async each<Item>(kind: Kind, items: Iterable<Item>, make: (item: Item) => Promise<boolean>): Promise<void> {
      for (const item of items) {
        const { promise, resolve: begin } = Promise.withResolvers<void>();
        const turn = { isAwaited: kinds[kind].isAwaited, begin };
        waiting.push(turn);
        giveTurns();
        await promise;
        try {
          if (signal.aborted || !(await make(item))) return;
        } finally {
          taken.delete(turn);
          giveTurns();
        }
      }
    },
    /** Ends what is being made, and makes nothing more. */
    async close(): Promise<void> {
      ending.abort();
      giveTurns();
      await Promise.allSettled(running.values());
    },
  };
}
