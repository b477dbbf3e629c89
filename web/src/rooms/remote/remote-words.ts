/** Who did what with what plays, in words. */
import type { PlaybackChange, QueuedTrack, RoomDocument } from '@tunemate/protocol';
import type { ActedNotice, NowPlaying } from '../../playback/playback-view.ts';
import { firstName } from '../../people/person-words.ts';
import { t } from '../../language/t.ts';

type People = Pick<RoomDocument, 'participants'>;

/** A large room does not name all of its people. */
export const nameIn = ({ participants }: People, uid: string): string =>
  participants.find((person) => person.uid === uid)?.name ?? t`A guest`;

/** The first name of the person who pressed last; null for the user, and where the host alone may press. */
export const presserIn = (room: People, by: string | null, selfUid: string): string | null =>
  by === null || by === selfUid ? null : firstName(nameIn(room, by));

export const pausedBy = (name: string): string => t`Paused by ${name}`;

/** 'Ada paused', 'Jonas chose Walking Home, a moment before you'. */
export function actWords(
  { by, before, after, change, isFirst }: ActedNotice,
  room: People,
  formatTime: (seconds: number) => string,
): string {
  const name = firstName(nameIn(room, by));
  const words = wordsOf(name, actOf(before, after, change), formatTime);
  return isFirst ? t`${words}, a moment before you` : words;
}

function wordsOf(name: string, act: Act, formatTime: (seconds: number) => string): string {
  switch (act.type) {
    case 'paused':
      return t`${name} paused`;
    case 'played':
      return t`${name} pressed play`;
    case 'chose':
      return t`${name} chose ${act.title}`;
    case 'added':
      return t`${name} added ${act.title}`;
    case 'removed':
      return t`${name} removed ${act.title}`;
    case 'reordered':
      return t`${name} moved ${act.title}`;
    case 'went-to':
      return t`${name} went to ${formatTime(act.seconds)}`;
  }
}

/** What a press changed, for those who read who it was. `title` is of the track that it was about. */
type Act =
  | { readonly type: 'paused' | 'played' }
  | { readonly type: 'chose' | 'added' | 'removed' | 'reordered'; readonly title: string }
  | { readonly type: 'went-to'; readonly seconds: number };

/** The change as a person would tell it. */
function actOf(before: NowPlaying, after: NowPlaying, change: PlaybackChange): Act {
  if (change.type === 'playback/queueChanged') {
    const { edit } = change;
    if (edit.type === 'added' || edit.type === 'inserted') return added(before, after, edit.track);
    if (edit.type === 'addedAll') return { type: 'added', title: edit.tracks[0]?.title ?? '' };
    if (edit.type === 'removed') return { type: 'removed', title: before.queue[edit.index]?.title ?? '' };
    if (edit.type === 'moved') return { type: 'reordered', title: before.queue[edit.from]?.title ?? '' };
  }
  if (after.track?.videoId !== before.track?.videoId) return { type: 'chose', title: after.title };
  if (after.timeline.isPlaying !== before.timeline.isPlaying)
    return { type: after.timeline.isPlaying ? 'played' : 'paused' };
  return { type: 'went-to', seconds: after.timeline.positionSeconds };
}

/** A track that is chosen in an audio room is inserted, and plays. */
function added(before: NowPlaying, after: NowPlaying, track: QueuedTrack): Act {
  const plays = after.track?.videoId === track.videoId && before.track?.videoId !== track.videoId;
  return { type: plays && before.track !== null ? 'chose' : 'added', title: track.title };
}
