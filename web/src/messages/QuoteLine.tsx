/** In a bubble: the message that this one answers. A press goes there. */
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import styles from './MessageBubble.module.css';
import { replyWords } from './reply-words.ts';

interface QuoteLineProps {
  name: string;
  text: string;
  /** The message was deleted: a press goes nowhere. */
  isGone: boolean;
  onPress: () => void;
}

export function QuoteLine({ name, text, isGone, onPress }: QuoteLineProps) {
  return (
    <button type="button" tabIndex={-1} className={styles.quote} disabled={isGone} onClick={onPress}>
      <VisuallyHidden>{`${replyWords.answers} `}</VisuallyHidden>
      <b dir="auto">{name}</b>
      <span dir="auto">{text}</span>
    </button>
  );
}
