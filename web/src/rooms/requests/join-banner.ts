/**
 * What the banner for new join requests announces; several that arrive together share one.
 * Detects which pending requests are new; knows neither how long it is shown, nor who answers them.
 */
import type { JoinRequest } from '@tunemate/protocol';
import { cell, type Readable } from '../../store/cell.ts';

/** The people it announces, newest first; `key` changes with every new request, so that the countdown restarts. */
export interface JoinBanner {
  readonly key: number;
  readonly people: readonly JoinRequest[];
}

export interface JoinBannerModel {
  /** Null while nothing is announced. */
  readonly banner: Readable<JoinBanner | null>;
  /** Receives the room's pending requests. The first call announces nobody: those people were waiting before. */
  show(requests: readonly JoinRequest[]): void;
  /** Its time is up. */
  dismiss(): void;
}

/** Identifies one request: the same person may ask again later. */
const keyOf = ({ uid, askedAt }: JoinRequest): string => `${uid} ${askedAt}`;

export function createJoinBanner(): JoinBannerModel {
  const banner = cell<JoinBanner | null>(null);
  let known: ReadonlySet<string> | null = null;
  let key = 0;

  function announce(people: readonly JoinRequest[]): void {
    key += 1;
    banner.set({ key, people });
  }

  return {
    banner,
    show(requests) {
      const pending = new Set(requests.map(keyOf));
      const before = known;
      known = pending;
      if (before === null) return;
      const arrived = requests.filter((request) => !before.has(keyOf(request))).toReversed();
      const shown = banner.get();
      const remaining = shown?.people.filter((person) => pending.has(keyOf(person))) ?? [];
      if (arrived.length > 0) announce([...arrived, ...remaining]);
      else if (shown !== null && remaining.length === 0) banner.set(null);
      else if (shown !== null && remaining.length < shown.people.length) banner.set({ ...shown, people: remaining });
    },
    dismiss: () => banner.set(null),
  };
}
