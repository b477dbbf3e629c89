/** Above the message field: what is answered or edited, and a way out of it. */
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { CloseIcon } from '../ui/icons/icons.tsx';
import styles from './MessageComposer.module.css';
import { replyWords } from './reply-words.ts';

interface ModeStripProps {
  /** The name of the person who is answered; null while a message is edited. */
  answers: string | null;
  /** The words of the message. */
  text: string;
  onCancel: () => void;
}

export function ModeStrip({ answers, text, onCancel }: ModeStripProps) {
  return (
    <div className={styles.strip}>
      <p>
        <b dir="auto">{answers === null ? replyWords.editMessage : replyWords.replyTo(answers)}</b>
        <span dir="auto">{text}</span>
      </p>
      <IconButton
        label={answers === null ? replyWords.cancelEdit : replyWords.cancelReply}
        icon={<CloseIcon size={20} />}
        onClick={onCancel}
      />
    </div>
  );
}
