/** The menu of one private message: Copy, and Report for the other person's. Loaded when it is opened. */
import { MenuAction, MenuBox } from '../messages/MenuBox.tsx';
import styles from '../messages/MenuBox.module.css';
import { conversationWords } from './conversation-words.ts';

interface PrivateMenuProps {
  label: string;
  onCopy?: (() => void) | undefined;
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
