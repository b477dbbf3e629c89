/** A small message at the bottom right that stays until it is dismissed. */
import { CloseIcon } from '../icons/icons.tsx';
import { IconButton } from '../buttons/IconButton.tsx';
import styles from './Popup.module.css';
import { t } from '../../language/t.ts';

/** The page leaves 96 px below its content (`AppLayout popupRoom`), so this never covers the last action. */
export function Popup({ message, onDismiss }: { message: string; onDismiss: () => void }) {
  return (
    <aside className={styles.popup} aria-label={message}>
      <p>{message}</p>
      <IconButton label={t`Dismiss`} icon={<CloseIcon />} onClick={onDismiss} />
    </aside>
  );
}
