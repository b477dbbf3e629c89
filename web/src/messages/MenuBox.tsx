/** The menu of one message, below its bubble: takes the focus, and Escape closes it. */
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { Button } from '../ui/buttons/Button.tsx';
import styles from './MenuBox.module.css';

interface MenuBoxProps {
  /** Names the message. */
  label: string;
  /** Escape was pressed: the focus goes back to the message. */
  onClose: () => void;
  /** The focus went elsewhere. */
  onLeave: () => void;
  children: ReactNode;
}

export function MenuBox({ label, onClose, onLeave, children }: MenuBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      close();
    };
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !element.contains(relatedTarget)) leave();
    };
    element.addEventListener('keydown', onKeyDown);
    element.addEventListener('focusout', onFocusOut);
    element.querySelector('button')?.focus();
    element.scrollIntoView({ block: 'nearest' });
    return () => {
      element.removeEventListener('keydown', onKeyDown);
      element.removeEventListener('focusout', onFocusOut);
    };
  }, []);
  const group = { role: 'group', 'aria-label': label } as const;
  return (
    <div ref={box} className={styles.menu} {...group}>
      {children}
    </div>
  );
}

export function MenuAction({ onPress, children }: { onPress: () => void; children: string }) {
  return (
    <Button variant="ghost" small onClick={onPress}>
      {children}
    </Button>
  );
}
