/** A message of a friend over the room: who wrote, two lines, Reply and Dismiss. It waits under pointer and focus. */
import { useEffect, useRef, useState } from 'react';
import { useHolding, useRunningOut } from '../ui/feedback/running-out.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { CloseIcon } from '../ui/icons/icons.tsx';
import { SendIcon } from '../ui/icons/marks.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import type { MessageNews } from './message-news.ts';
import styles from './MessageToast.module.css';

const lastsMs = 8000;

export interface MessageToastProps {
  news: MessageNews | null;
  /** How many came since. */
  more: number;
  /** Nobody can see it, so that its time stands still. */
  isCovered: boolean;
  /** Answers in place. Left out where Reply leads elsewhere. */
  onSend?: ((text: string) => boolean) | undefined;
  onReply: () => void;
  onEnd: () => void;
}

/** Always mounted, so that screen readers hear what comes. */
export function MessageToast({ news, more, isCovered, onSend, onReply, onEnd }: MessageToastProps) {
  const [isReplying, setIsReplying] = useState(false);
  const [text, setText] = useState('');
  const { isHeld, ...holding } = useHolding(news?.key);
  const end = (): void => {
    setIsReplying(false);
    setText('');
    onEnd();
  };
  useRunningOut(news?.key, lastsMs, isHeld || isReplying || isCovered, end);
  const send = (): void => {
    if (onSend?.(text)) end();
  };
  return (
    <div className={styles.region} data-news {...holding}>
      {news && (
        <div key={news.key} className={styles.toast}>
          <Avatar id={news.from.uid} name={news.from.name} />
          <output className={styles.words}>
            <strong>{news.from.name}</strong>
            <span>{news.text}</span>
            {more > 0 && <small>and {more} more</small>}
          </output>
          <Button small aria-expanded={onSend && isReplying} onClick={() => (onSend ? setIsReplying(true) : onReply())}>
            Reply
          </Button>
          <IconButton label="Dismiss" icon={<CloseIcon />} onClick={end} />
          {isReplying && (
            <Reply
              name={news.from.name}
              text={text}
              onText={setText}
              onSend={send}
              onClose={() => setIsReplying(false)}
            />
          )}
        </div>
      )}
    </div>
  );
}

interface ReplyProps {
  name: string;
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  onClose: () => void;
}

/** Whoever opens it writes at once. */
function Reply({ name, text, onText, onSend, onClose }: ReplyProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className={styles.reply}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <TextField
        ref={field}
        label={`Reply to ${name}`}
        hideLabel
        placeholder="Message"
        autoComplete="off"
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          // The toast's first button is Reply.
          event.currentTarget.closest('[data-news]')?.querySelector('button')?.focus();
          onClose();
        }}
      />
      <IconButton label="Send" icon={<SendIcon />} filled type="submit" />
    </form>
  );
}
