/** What can be done with one private message: Copy, and for those of the other person Report. Loaded when it is opened. */
import { MenuAction, MenuBox } from '../messages/MenuBox.tsx';
import styles from '../messages/MenuBox.module.css';
import { conversationWords } from './conversation-words.ts';

interface PrivateMenuProps {
  label: string;
  /** Left out where there is no text. */
  onCopy?: (() => void) | undefined;
  /** Left out for one's own. */
  onReport?: (() => void) | undefined;
  onClose: () => void;
  onLeave: () => void;
}

export function PrivateMenu({ label, onCopy, onReport, onClose, onLeave }: PrivateMenuProps) {
  return (
    <MenuBox label={label} onClose={onClose} onLeave={onLeave}>
      <div className={styles.acts}>
        {onCopy && <MenuAction onPress={onCopy}>{conversationWords.copy}</MenuAction>}
        {onReport && <MenuAction onPress={onReport}>{conversationWords.report}</MenuAction>}
      </div>
    </MenuBox>
  );
}
