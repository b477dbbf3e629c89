/** The room's queue: the host presses a row to play it; 'Edit' shows what to drag, move, play next and remove a row with.
   Guests take their own tracks back. */
import type { QueuedTrack } from '@tunemate/protocol';
import { Suspense, useEffect, useRef, useState, type RefObject } from 'react';
import { lazyPart } from '../../store/lazy-part.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { List } from '../../ui/lists/List.tsx';
import { MediaRow } from '../../ui/lists/MediaRow.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { regainFocus } from '../../ui/lost-focus.ts';
import type { PlaybackModel } from '../playback-model.ts';
import type { Edit } from './QueueRowKeys.tsx';
import { playbackSentences } from '../playback-words.ts';
import styles from './QueueList.module.css';
import { t } from '../../language/t.ts';

const RowKeys = lazyPart(async () => (await import('./QueueRowKeys.tsx')).QueueRowKeys);

/** Only the controlling tab can act on all rows. */
export interface QueueListProps {
  model: PlaybackModel;
  formatTime: (seconds: number) => string;
  /** Undefined for a member who has left. */
  nameOf: (uid: string) => string | undefined;
  /** What this person can do about an empty queue. */
  emptyWords: string;
  selfUid: string;
  onTakeBack: (track: QueuedTrack) => void;
}

export function QueueList({ model, formatTime, nameOf, emptyWords, selfUid, onTakeBack }: QueueListProps) {
  const { playing, control } = useReadable(model.view);
  const [isEditing, setIsEditing] = useState(false);
  const { queue, currentIndex } = playing;
  const canAct = control === 'mine';
  const keys = keysOf(queue);
  const list = useRef<HTMLElement>(null);
  const follow = useFocusOfEdit(queue, list);
  const edit = canAct && queue.length > 0 && (
    <Button variant="ghost" small aria-pressed={isEditing} onClick={() => setIsEditing(!isEditing)}>
      {isEditing ? t`Done` : t`Edit`}
    </Button>
  );
  return (
    <Section title={playbackSentences.queue} count={queue.length} action={edit} panel>
      {queue.length === 0 && <p className={styles.empty}>{emptyWords}</p>}
      <List ordered label={playbackSentences.queue} listRef={list}>
        {queue.map((track, index) => (
          <li key={keys[index]} className={styles.item}>
            <MediaRow
              title={track.title}
              id={track.videoId}
              pictureUrl={track.thumbnail ?? undefined}
              number={index + 1}
              current={index === currentIndex}
              currentLabel={playbackSentences.nowPlaying}
              detail={detailOf(track, formatTime, nameOf)}
              onPress={canAct && !isEditing ? () => model.host.jump(index) : undefined}
            />
            {!canAct && index > currentIndex && track.proposedBy === selfUid && (
              <Button variant="ghost" small aria-label={t`Take back ${track.title}`} onClick={() => onTakeBack(track)}>
                {t`Take back`}
              </Button>
            )}
            {canAct && isEditing && (
              <Suspense>
                <RowKeys
                  className={styles.keys}
                  {...{ model, index, queue, currentIndex }}
                  title={track.title}
                  onEdit={follow}
                />
              </Suspense>
            )}
          </li>
        ))}
      </List>
    </Section>
  );
}

/** A moved row keeps its key, and so its focus. A video can be in the queue twice. */
function keysOf(queue: readonly QueuedTrack[]): string[] {
  const seen = new Map<string, number>();
  return queue.map(({ videoId }) => {
    const nth = (seen.get(videoId) ?? 0) + 1;
    seen.set(videoId, nth);
    return `${videoId} ${nth}`;
  });
}

/** Moves the focus to another button of the row when the clicked one is removed or disabled. */
function useFocusOfEdit(queue: readonly QueuedTrack[], list: RefObject<HTMLElement | null>): (edit: Edit) => void {
  const edit = useRef<Edit | null>(null);
  useEffect(() => {
    if (edit.current === null) return;
    const { index, isRemoval } = edit.current;
    edit.current = null;
    const row = list.current?.children[Math.min(index, queue.length - 1)];
    const buttons = [...(row?.querySelectorAll<HTMLElement>('button:enabled') ?? [])];
    regainFocus(buttons.at(isRemoval ? -1 : 0));
  }, [queue, list]);
  return (made) => {
    edit.current = made;
  };
}

/** '05:08 · proposed by Kenji' */
function detailOf(
  { durationSeconds, proposedBy }: QueuedTrack,
  formatTime: QueueListProps['formatTime'],
  nameOf: QueueListProps['nameOf'],
): string | undefined {
  const proposer = proposedBy && nameOf(proposedBy);
  const parts = [durationSeconds !== null && formatTime(durationSeconds), proposer && t`proposed by ${proposer}`];
  return parts.filter(Boolean).join(' · ') || undefined;
}
