/** In the line at the foot of the player, beside how close this device is to the room: the discs of all who are here. */
import type { RoomDocument } from '@tunemate/protocol';
import type { PlaybackModel } from '../../playback/playback-model.ts';
import { playbackSentences } from '../../playback/playback-words.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { peopleInOrder } from './room-model.ts';
import styles from './Together.module.css';
import { t } from '../../language/t.ts';

const shownDiscs = 8;

interface TogetherProps {
  room: RoomDocument;
  model: PlaybackModel;
  /** The room's first track has begun: screen readers hear it. */
  isFirst: boolean;
}

export function Together({ room, model, isFirst }: TogetherProps) {
  const { title } = useReadable(model.view).playing;
  return (
    <div className={styles.line}>
      <span className={styles.discs} aria-hidden="true">
        {peopleInOrder(room)
          .slice(0, shownDiscs)
          .map(({ uid, name }, index) => (
            <span key={uid} style={{ '--wait': `${String(index * 70)}ms` }}>
              <Avatar id={uid} name={name} size="xs" />
            </span>
          ))}
      </span>
      <output className={styles.words}>
        {isFirst && <VisuallyHidden>{`${playbackSentences.nowPlaying}: ${title}. `}</VisuallyHidden>}
        <span>{room.people === 1 ? t`for you alone` : t`${String(room.people)} people`}</span>
      </output>
    </div>
  );
}
