/** Shows short notices in one polite live region: bottom centre on phones, bottom right on wide screens.
   Our own few lines, because toast libraries inject style elements that our CSP refuses. */
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { CheckIcon } from '../icons/icons.tsx';
import { ToastsContext, type ShowToast } from './toasts.ts';
import styles from './ToastHost.module.css';
import type { Elements } from '../OwnText.tsx';

const toastMs = 4000;
const mostAtOnce = 3;

export function ToastHost({ children }: { children: Elements }) {
  const [toasts, setToasts] = useState<readonly { key: number; message: string }[]>([]);
  const lastKey = useRef(0);
  const show = useCallback<ShowToast>((message) => {
    lastKey.current += 1;
    const toast = { key: lastKey.current, message };
    setToasts((before) => [...before.filter((old) => old.message !== message), toast].slice(-mostAtOnce));
  }, []);
  const drop = (key: number) => setToasts((before) => before.filter((toast) => toast.key !== key));
  return (
    <ToastsContext value={show}>
      {children}
      <output className={styles.region} aria-atomic={false}>
        {toasts.map(({ key, message }) => (
          <ToastCard key={key} message={message} onEnd={() => drop(key)} />
        ))}
      </output>
    </ToastsContext>
  );
}

/** One notice; a pointer on it pauses its timer. */
function ToastCard({ message, onEnd }: { message: string; onEnd: () => void }) {
  const [held, setHeld] = useState(false);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => end(), toastMs);
    return () => clearTimeout(timer);
  }, [held]);
  return (
    <span className={styles.toast} onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      <CheckIcon />
      <span>{message}</span>
    </span>
  );
}
