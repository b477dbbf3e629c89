/** The six stamps as keys. */
import { stampNames, type StampName } from '@tunemate/protocol';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { StampDrawing } from '../../ui/chat/StampDrawing.tsx';
import { stampWords } from './stamp-words.ts';
import styles from './RoomChat.module.css';

export interface StampRowProps {
  /** Names the group, such as `React`. */
  label: string;
  /** Those that are pressed already; left out where none stays pressed. */
  pressed?: readonly StampName[];
  onPress: (stamp: StampName) => void;
}

export function StampRow({ label, pressed, onPress }: StampRowProps) {
  const group = { role: 'group', 'aria-label': label } as const;
  return (
    <div className={styles.stampRow} {...group}>
      {stampNames.map((stamp) => (
        <IconButton
          key={stamp}
          label={stampWords[stamp]}
          aria-pressed={pressed?.includes(stamp)}
          icon={<StampDrawing name={stamp} size={26} />}
          onClick={() => onPress(stamp)}
        />
      ))}
    </div>
  );
}
