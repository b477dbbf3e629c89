/** A sheet over the page: from the bottom on phones, over the sidebar's place on wide screens. */
import { useId, useRef } from 'react';
import { IconButton } from '../buttons/IconButton.tsx';
import { CloseIcon } from '../icons/icons.tsx';
import { useModalElement } from './use-modal-element.ts';
import styles from './Sheet.module.css';
import type { Elements } from '../OwnText.tsx';
import { t } from '../../language/t.ts';

/** Escape, a press beside it and Close call `onClose`. */
interface SheetProps {
  title: string;
  /** Small words in the title's place; the content then shows the title. */
  caption?: string | undefined;
  onClose: () => void;
  children: Elements;
}

/** Shown while mounted. */
export function Sheet({ title, caption, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useModalElement(dialog, onClose, { scrimCloses: true });
  const label = caption === undefined ? { 'aria-labelledby': id } : { 'aria-label': title };
  return (
    <dialog ref={dialog} className={styles.sheet} {...label}>
      <div className={styles.panel}>
        <div className={styles.head}>
          {caption === undefined ? (
            <h2 id={id} dir="auto">
              {title}
            </h2>
          ) : (
            <p className="meta">{caption}</p>
          )}
          <IconButton label={t`Close`} icon={<CloseIcon size={22} />} data-first-focus onClick={onClose} />
        </div>
        {children}
      </div>
    </dialog>
  );
}
