/** A side panel: an open column beside the page on wide screens, a modal drawer over a scrim on phones.
   Its content is rendered once; crossing 769 px moves it between the two. */
import { useRef } from 'react';
import { CloseIcon } from '../icons/icons.tsx';
import { IconButton } from '../buttons/IconButton.tsx';
import { useWideScreen } from '../layout/use-wide-screen.ts';
import { useModalElement } from './use-modal-element.ts';
import styles from './Drawer.module.css';
import type { Elements } from '../OwnText.tsx';
import { t } from '../../language/t.ts';

/** `open` matters on phones only; Escape, the scrim and the close button call `onClose`. */
interface DrawerProps {
  label: string;
  open: boolean;
  onClose: () => void;
  /** First block of the panel; on phones the close button is at its right. */
  head: Elements;
  children: Elements;
}

export function Drawer(props: DrawerProps) {
  const { label, open, head, children } = props;
  const isWide = useWideScreen();
  if (!isWide) return open ? <PhoneDrawer {...props} /> : null;
  return (
    <aside className={styles.column} aria-label={label}>
      <div className={styles.head}>{head}</div>
      {children}
    </aside>
  );
}

function PhoneDrawer({ label, onClose, head, children }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useModalElement(dialog, onClose, { scrimCloses: true });
  return (
    <dialog ref={dialog} aria-label={label} className={styles.drawer}>
      <div className={styles.panel}>
        <div className={styles.head}>
          {head}
          <IconButton label={t`Close menu`} icon={<CloseIcon size={22} />} data-first-focus onClick={onClose} />
        </div>
        {children}
      </div>
    </dialog>
  );
}
