/**
 * The banner for new join requests: shown for five seconds, combined when several arrive together.
 * Detects which pending requests are new; knows neither who answers them nor how the banner looks.
 */
import type { Schedule } from '@tunemate/playback';
import { limits, type JoinRequest } from '@tunemate/protocol';
import { cell, type Readable } from '../store/cell.ts';

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
  /** Closes the banner before its time is up. */
  dismiss(): void;
  close(): void;
}

/** Identifies one request: the same person may ask again later. */
const keyOf = ({ uid, askedAt }: JoinRequest): string => `${uid} ${askedAt}`;

export function createJoinBanner(schedule: Schedule): JoinBannerModel {
  const banner = cell<JoinBanner | null>(null);
  let known: ReadonlySet<string> | null = null;
  let cancel = (): void => undefined;
  let key = 0;

  function announce(people: readonly JoinRequest[]): void {
    cancel();
    key += 1;
    banner.set({ key, people });
    cancel = schedule(() => banner.set(null), limits.joinRequestBannerMs);
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
    dismiss() {
      cancel();
      banner.set(null);
    },
    close: () => cancel(),
  };
}

/** 'Ada Okafor', or 'Ada Okafor and 3 more' when several ask at once. */
export function bannerNames(people: readonly JoinRequest[]): string {
  const others = people.length - 1;
  return `${people[0]?.name ?? ''}${others > 0 ? ` and ${others} more` : ''}`;
}
