/** Texts of what rooms have played. */
import type { PlayedTrack, RoomHistory } from '@tunemate/protocol';
import { t } from '../../language/t.ts';
import type { Now } from '../../store/use-now.ts';
import { clockTime, dayLabel } from '../../words/dates.ts';

export const historyWords = {
  title: t`What we played`,
  /** Not 'Add all', which results of a search have beside it. */
  addAll: t`Queue all again`,
  addAgain: (title: string) => t`Queue ${title} again`,
  proposeAgain: (title: string) => t`Propose ${title} again`,
  copy: t`Copy as text`,
  copied: t`Copied as text`,
  savedQueues: t`Saved queues`,
  saveAsQueue: t`Save as a queue`,
  forget: t`Delete`,
  forgetQuestion: (room: string) => t`Delete what ${room} played?`,
  forgetConsequence: t`From your own list only. Others keep theirs.`,
  notCopied: t`This browser does not let pages copy.`,
} as const;

export function sinceWhen(tracks: number, fromMs: number, nowMs: Now): string {
  const time = clockTime(fromMs, nowMs);
  return tracks === 1 ? t`1 track since ${time}` : t`${tracks} tracks since ${time}`;
}

export const showAll = (tracks: number): string => t`Show all ${tracks}`;

/** '21:06 · proposed by Kenji' */
export function playedDetail({ at, by }: PlayedTrack, nowMs: Now): string {
  const proposer = by?.name;
  return [clockTime(at, nowMs), proposer !== undefined && t`proposed by ${proposer}`].filter(Boolean).join(' · ');
}

/** 'Yesterday · 14 tracks since 20:10' */
export const historyDetail = ({ tracks, from, to }: RoomHistory, nowMs: Now): string =>
  `${dayLabel(to, nowMs)} · ${sinceWhen(tracks, from, nowMs)}`;

/** One line for each track, the first one played first. */
export const asText = (latestFirst: readonly PlayedTrack[], nowMs: Now): string =>
  latestFirst
    .toReversed()
    .map(({ at, title }) => `${clockTime(at, nowMs)} ${title}`)
    .join('\n');
