/** The six stamps as buttons. */
import { type Refusal, type StampName, stampNames } from '@tunemate/protocol';
import { sentenceOf, tryAgainIn } from '../../words/errors.ts';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { StampDrawing } from '../../ui/chat/StampDrawing.tsx';
import styles from './RoomChat.module.css';
import { t } from '../../language/t.ts';

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
  love: t`Love`,
  ha: t`Ha`,
  fire: t`Fire`,
  tune: t`Tune`,
  wow: t`Wow`,
  tears: t`Tears`,
};

export function notStampedBecause(refusal: Refusal): string {
  if (refusal.code !== 'limit/too-many') return sentenceOf(refusal, { 'access/not-found': t`This message is gone.` });
  const soon = refusal.retryAfterMs === undefined ? '' : ` ${tryAgainIn(refusal.retryAfterMs)}`;
  return t`Too many stamps at once.${soon}`;
}
