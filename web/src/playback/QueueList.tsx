/** The room's queue: its host presses a row to play it; 'Edit' opens keys to move and remove rows. */
import type { QueuedTrack } from '@tunemate/protocol';
import { useState } from 'react';
import { useReadable } from '../store/use-readable.ts';
import { ChevronDownIcon, ChevronUpIcon, CloseIcon } from '../ui/icons/icons.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { List } from '../ui/lists/List.tsx';
import { MediaRow } from '../ui/lists/MediaRow.tsx';
import { Section } from '../ui/lists/Section.tsx';
import type { PlaybackModel } from './playback-model.ts';
import { playbackSentences } from './playback-copy.ts';
import styles from './QueueList.module.css';

/** A panel below the deck. Only the controlling tab can act; others see the rows. */
export interface QueueListProps {
  model: PlaybackModel;
  formatTime: (seconds: number) => string;
  /** Nothing for somebody who is not in the room any more. */
  nameOf: (uid: string) => string | undefined;
}

export function QueueList({ model, formatTime, nameOf }: QueueListProps) {
  const { playing, control } = useReadable(model.view);
  const [isEditing, setIsEditing] = useState(false);
  const { queue, currentIndex } = playing;
  const canAct = control === 'mine';
  const edit = canAct && queue.length > 0 && (
    <Button variant="ghost" small aria-pressed={isEditing} onClick={() => setIsEditing(!isEditing)}>
      {isEditing ? 'Done' : 'Edit'}
    </Button>
  );
  return (
    <Section title={playbackSentences.queue} count={queue.length} action={edit} panel>
      {queue.length === 0 && <p className={styles.empty}>{playbackSentences.queueEmpty}</p>}
      <List ordered label={playbackSentences.queue}>
        {queue.map((track, index) => (
          // A video can stand in the queue twice; its place is part of who it is.
          <li key={`${track.videoId} ${index}`} className={styles.item}>
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
            {canAct && isEditing && <RowButtons model={model} index={index} title={track.title} count={queue.length} />}
          </li>
        ))}
      </List>
    </Section>
  );
}

/** '05:08 · proposed by Kenji' */
function detailOf(
  { durationSeconds, proposedBy }: QueuedTrack,
  formatTime: QueueListProps['formatTime'],
  nameOf: QueueListProps['nameOf'],
): string | undefined {
  const proposer = proposedBy && nameOf(proposedBy);
  const parts = [durationSeconds !== null && formatTime(durationSeconds), proposer && `proposed by ${proposer}`];
  return parts.filter(Boolean).join(' · ') || undefined;
}

interface RowButtonsProps {
  model: PlaybackModel;
  index: number;
  title: string;
  count: number;
}

function RowButtons({ model, index, title, count }: RowButtonsProps) {
  return (
    <span className={styles.keys}>
      <IconButton
        label={`Move ${title} up`}
        icon={<ChevronUpIcon />}
        disabled={index === 0}
        onClick={() => model.host.move(index, index - 1)}
      />
      <IconButton
        label={`Move ${title} down`}
        icon={<ChevronDownIcon />}
        disabled={index === count - 1}
        onClick={() => model.host.move(index, index + 1)}
      />
      <IconButton label={`Remove ${title}`} icon={<CloseIcon />} onClick={() => model.host.remove(index)} />
    </span>
  );
}
