/** Who did what with what plays, in words. */
import type { RoomDocument } from '@tunemate/protocol';
import type { Act, PlaybackNotice } from '../../playback/playback-view.ts';
import { firstName } from '../../people/person-words.ts';
import { t } from '../../language/t.ts';

type Acted = Extract<PlaybackNotice, { type: 'acted' }>;

/** 'Ada paused', 'Jonas chose Walking Home, a moment before you'. */
export function actWords(
  { by, act, isFirst }: Acted,
  { participants }: Pick<RoomDocument, 'participants'>,
  formatTime: (seconds: number) => string,
): string {
  const name = firstName(participants.find(({ uid }) => uid === by)?.name ?? t`A guest`);
  const words = wordsOf(name, act, formatTime);
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
