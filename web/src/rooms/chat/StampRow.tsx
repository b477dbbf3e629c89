/** The six stamps as buttons. */
import { type Refusal, type StampName, stampNames } from '@tunemate/protocol';
import { sentenceOf, tryAgainIn } from '../../words/errors.ts';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { StampDrawing } from '../../ui/chat/StampDrawing.tsx';
import styles from './RoomChat.module.css';

interface StampRowProps {
  /** Names the group, such as `React`. */
  label: string;
  /** Left out where no button stays pressed. */
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

export const stampWords: Record<StampName, string> = {
  love: 'Love',
  ha: 'Ha',
  fire: 'Fire',
  tune: 'Tune',
  wow: 'Wow',
  tears: 'Tears',
};

export function notStampedBecause(refusal: Refusal): string {
  if (refusal.code !== 'limit/too-many') return sentenceOf(refusal, { 'access/not-found': 'This message is gone.' });
  const soon = refusal.retryAfterMs === undefined ? '' : ` ${tryAgainIn(refusal.retryAfterMs)}`;
  return `Too many stamps at once.${soon}`;
}
