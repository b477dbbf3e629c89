/** The words of a message: people named with '@' are bold, addresses are links that open in a new tab. */
import { Suspense } from 'react';
import { mentionParts } from './mentions.ts';
import styles from './RoomChat.module.css';
import { lazyPart } from '../../store/lazy-part.ts';

/** Finding addresses takes more code than most chats need. */
const LinkedText = lazyPart(
  async () => (await import('../../messages/LinkedText.tsx')).LinkedText,
  ({ text }) => text,
);
const mayHoldAddress = /[^\s.]\.[^\s.]|:\/\//;

export interface ChatTextProps {
  text: string;
  people: readonly { readonly uid: string; readonly name: string }[];
}

export function ChatText({ text, people }: ChatTextProps) {
  return mentionParts(text, people).map((part, index) => {
    const key = String(index);
    if (typeof part !== 'string') {
      return (
        <b key={key} className={styles.mention}>
          {part.mention}
        </b>
      );
    }
    if (!mayHoldAddress.test(part)) return <span key={key}>{part}</span>;
    return (
      <Suspense key={key} fallback={part}>
        <LinkedText text={part} />
      </Suspense>
    );
  });
}
