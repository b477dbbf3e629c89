/** The modal card: a band down its left edge, a title, and its buttons: in a row where one or two, else below each other.
   A sheet at the bottom on phones. */
import { useId, useRef, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import type { BandInk } from '../inks.ts';
import { useModalElement } from './use-modal-element.ts';
import styles from './ModalCard.module.css';
import type { Elements } from '../OwnText.tsx';

/** Mounted means open. The element marked `data-first-focus` inside gets the focus. */
interface ModalCardProps {
  title: string;
  /** One plain sentence below the title. */
  text?: string | undefined;
  /** A picture above the title. */
  art?: ReactNode;
  /** The page's band when left out. */
  band?: BandInk | undefined;
  onCancel: () => void;
  /** Content before the buttons; it makes the card wider. */
  body?: Elements;
  children: ReactNode;
}

export function ModalCard({ title, text, art, band, onCancel, body, children }: ModalCardProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useModalElement(dialog, onCancel);
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-modal="true"
      aria-labelledby={`${id}-title`}
      aria-describedby={text ? `${id}-text` : undefined}
      data-band={band}
      className={classNames(styles.card, body !== undefined && styles.wide)}
    >
      {art && <div className={styles.art}>{art}</div>}
      <h2 id={`${id}-title`}>{title}</h2>
      {text && <p id={`${id}-text`}>{text}</p>}
      {body}
      <div className={styles.buttons}>{children}</div>
    </dialog>
  );
}
