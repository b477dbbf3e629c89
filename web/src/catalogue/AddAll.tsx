/** Adds all tracks of a list to the queue, and takes them back. */
import { useEffect, useRef } from 'react';
import { t } from '../language/t.ts';
import { useBusy } from '../store/use-busy.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { Note } from '../ui/feedback/Note.tsx';
import { PlusIcon } from '../ui/icons/page-icons.tsx';
import { regainFocus } from '../ui/lost-focus.ts';
import styles from './SearchResults.module.css';

interface AddAllProps {
  /** 'Add all' where they are left out. */
  words?: string;
  /** The main key of its screen. */
  isMain?: boolean;
  onPress: () => Promise<void>;
}

export function AddAll({ words = t`Add all`, isMain = false, onPress }: AddAllProps) {
  const { isBusy, run } = useBusy();
  return (
    <Button
      variant={isMain ? 'primary' : 'ghost'}
      small={!isMain}
      icon={isMain && <PlusIcon />}
      busy={isBusy}
      onClick={() => run(onPress)}
    >
      {words}
    </Button>
  );
}

/** Replaces the added items. Undo takes the focus of 'Add all', which is removed. */
export function AddedNote({ words, onUndo }: { words: string; onUndo: () => Promise<void> }) {
  const { isBusy, run } = useBusy();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => regainFocus(box.current?.querySelector('button')), []);
  return (
    <div ref={box} className={styles.added}>
      <Note tone="good">{words}</Note>
      <Button variant="ghost" small busy={isBusy} onClick={() => run(onUndo)}>
        {t`Undo`}
      </Button>
    </div>
  );
}
