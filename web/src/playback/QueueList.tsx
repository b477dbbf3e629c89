/** The host's queue: press a row to play it; 'Edit' opens keys to move and remove rows. */
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
export function QueueList({ model, formatTime }: { model: PlaybackModel; formatTime: (seconds: number) => string }) {
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
              pictureUrl={track.thumbnail ?? undefined}
              number={index + 1}
              current={index === currentIndex}
              currentLabel="Now playing"
              detail={track.durationSeconds === null ? undefined : formatTime(track.durationSeconds)}
              onPress={canAct && !isEditing ? () => model.host.jump(index) : undefined}
            />
            {canAct && isEditing && <RowButtons model={model} index={index} title={track.title} count={queue.length} />}
          </li>
        ))}
      </List>
    </Section>
  );
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
