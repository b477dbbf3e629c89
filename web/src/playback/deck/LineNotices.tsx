/** Notices in the line at the foot of the player: this device is paused, Undo after a press on a row, and once whether the queue plays. */
import { useEffect, useState } from 'react';
import { tabStorage } from '../../store/lenient-storage.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useSlowReadable } from '../../store/use-slow-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { RunningLine } from '../../ui/feedback/RunningLine.tsx';
import { useHolding, useRunningOut } from '../../ui/feedback/running-out.ts';
import type { PlaybackModel } from '../playback-model.ts';
import { playbackSentences } from '../playback-words.ts';
import { mayPress } from '../playback-view.ts';
import styles from './PlayerNotices.module.css';
import { t } from '../../language/t.ts';

const undoLastsMs = 8000;

/** Waits under the pointer and the focus. `floats`: in the line at the foot of the player, whose place it takes. */
export function UndoNotice({ model: { host, view }, floats }: { model: PlaybackModel; floats: boolean }) {
  const undoable = useReadable(host.undoable);
  const canPress = mayPress(useReadable(view));
  const { isHeld, ...holding } = useHolding(undoable?.key);
  useRunningOut(undoable?.key, undoLastsMs, isHeld, () => host.forgetUndo());
  if (undoable === null || !canPress) return null;
  return (
    <div key={undoable.key} className={floats ? styles.inLine : styles.offer} {...holding}>
      <output>{undoable.words}</output>
      <Button small variant="quiet" onClick={() => undoable.undo()}>
        {t`Undo`}
      </Button>
      {floats && <RunningLine lastsMs={undoLastsMs} isHeld={isHeld} />}
    </div>
  );
}

/** Shown while this device is paused; returns to live. `floats`: in the line at the foot of the player, whose place it takes. */
export function HeldHere({ model, floats }: { model: PlaybackModel; floats: boolean }) {
  const isHeld = useSlowReadable(model.follow, ({ status }) => status === 'held');
  if (!isHeld) return null;
  return (
    <div className={floats ? styles.inLine : styles.held} data-held>
      <output>{playbackSentences.held}</output>
      <Button small variant={floats ? 'quiet' : 'primary'} onClick={() => model.tapToListen()}>
        {playbackSentences.backToLive}
      </Button>
    </div>
  );
}

const answeredKey = 'tunemate/queue-answered';

/** Asks at the second track where the room would stop after the first; an answer lasts while this tab is open. */
export function QueueQuestion({ model, code }: { model: PlaybackModel; code: string }) {
  const { playing, control } = useReadable(model.view);
  const { afterTrack, queue, currentIndex } = playing;
  const [isAnswered, setIsAnswered] = useState(() => tabStorage.getItem(answeredKey) === code);
  useEffect(() => {
    if (isAnswered) tabStorage.setItem(answeredKey, code);
  }, [isAnswered, code]);
  if (afterTrack !== 'stop' && !isAnswered) setIsAnswered(true);
  if (isAnswered || control !== 'mine' || queue.length - currentIndex < 2) return null;
  return (
    <div className={styles.offer} {...group}>
      <output>{question}</output>
      <Button small variant="primary" onClick={() => model.host.setAfterTrack('queue')}>
        {t`Play the queue`}
      </Button>
      <Button small variant="ghost" onClick={() => setIsAnswered(true)}>
        {t`Stop after this track`}
      </Button>
    </div>
  );
}

const question = t`Play the queue?`;
const group = { role: 'group', 'aria-label': question } as const;
