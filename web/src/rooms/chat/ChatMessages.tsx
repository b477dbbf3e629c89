/** The open log: stays at the newest message unless the user scrolls up, and loads earlier pages there. */
import { useEffect, useRef } from 'react';
import { MessageLog, useMessageKeys } from '../../messages/MessageLog.tsx';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import type { ChatBubble } from './chat-bubbles.ts';
import { ChatEntry, type ChatActions } from './ChatEntry.tsx';

/** This close to the top, the page before is fetched. */
const nearTopPx = 120;

/** The log is reversed: its scroll position is 0 at the newest message and falls towards the oldest. */
function isNearTop({ scrollTop, scrollHeight, clientHeight }: HTMLDivElement): boolean {
  return scrollHeight - clientHeight + scrollTop < nearTopPx;
}

export interface ChatMessagesProps extends ChatActions {
  bubbles: readonly ChatBubble[];
  hasEarlier: boolean;
}

export function ChatMessages({ bubbles, hasEarlier, ...actions }: ChatMessagesProps) {
  const { model } = actions;
  const box = useRef<HTMLDivElement>(null);
  const earlier = useReadable(model.earlier);
  const newest = bubbles.at(-1);
  const userStreamNewest = newest?.isMine === true ? newest.key : null;
  useEffect(() => {
    // Scrolls to a message that the user sends, however far up they have read.
    if (userStreamNewest !== null && box.current !== null) box.current.scrollTop = 0;
  }, [userStreamNewest]);
  useMessageKeys(box);
  return (
    <MessageLog
      label="Chat"
      ref={box}
      onScroll={(event) => {
        if (hasEarlier && earlier === 'idle' && isNearTop(event.currentTarget)) void model.loadEarlier();
      }}
    >
      {hasEarlier && (
        <Button variant="ghost" small busy={earlier === 'loading'} onClick={() => void model.loadEarlier()}>
          Earlier messages
        </Button>
      )}
      {bubbles.map((bubble) => (
        <ChatEntry key={bubble.key} bubble={bubble} isLast={bubble === newest} {...actions} />
      ))}
    </MessageLog>
  );
}
