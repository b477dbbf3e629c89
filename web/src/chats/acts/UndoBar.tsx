/** Below the log for five seconds after a message was deleted for oneself; it waits under the pointer and the focus. */
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../../ui/buttons/Button.tsx';
import styles from '../ChatScreen.module.css';
import { conversationWords } from '../conversation-words.ts';

const undoMs = 5000;

export function UndoBar({ onUndo, onEnd }: { onUndo: () => void; onEnd: () => void }) {
  const [isHeld, setIsHeld] = useState(false);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => end(), undoMs);
    return () => clearTimeout(timer);
  }, [isHeld]);
  return (
    <div
      className={styles.undo}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <output>{conversationWords.deletedForMe}</output>
      <Button variant="ghost" small onClick={onUndo}>
        {conversationWords.undo}
      </Button>
    </div>
  );
}
