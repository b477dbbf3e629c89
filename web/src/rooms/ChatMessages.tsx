/** The open log: stays at the newest message unless the user scrolls up, and loads earlier pages there. */
import { useEffect, useRef } from 'react';
import { useReadable } from '../store/use-readable.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { MessageBubble } from '../ui/chat/MessageBubble.tsx';
import { MessageLog } from '../ui/chat/MessageLog.tsx';
import { FailedMessage } from '../messages/FailedMessage.tsx';
import type { ChatBubble } from './chat-bubbles.ts';
import { notSentBecause, type ChatModel } from './chat-model.ts';

/** This close to the top, the page before is fetched. */
const nearTopPx = 120;

/** The log is reversed: its scroll position is 0 at the newest message and falls towards the oldest. */
function isNearTop({ scrollTop, scrollHeight, clientHeight }: HTMLDivElement): boolean {
  return scrollHeight - clientHeight + scrollTop < nearTopPx;
}

export interface ChatMessagesProps {
  model: ChatModel;
  bubbles: readonly ChatBubble[];
  hasEarlier: boolean;
}

export function ChatMessages({ model, bubbles, hasEarlier }: ChatMessagesProps) {
  const box = useRef<HTMLDivElement>(null);
  const earlier = useReadable(model.earlier);
  const newest = bubbles.at(-1);
  const userStreamNewest = newest?.isMine === true ? newest.key : null;
  useEffect(() => {
    // Scrolls to a message that the user sends, however far up they have read.
    if (userStreamNewest !== null && box.current !== null) box.current.scrollTop = 0;
  }, [userStreamNewest]);
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
        <Bubble key={bubble.key} bubble={bubble} model={model} />
      ))}
    </MessageLog>
  );
}

function Bubble({ bubble, model }: { bubble: ChatBubble; model: ChatModel }) {
  const { isMine, author, starts, ends, text, waiting } = bubble;
  const failure = waiting?.failure ?? null;
  return (
    <>
      <MessageBubble
        mine={isMine}
        author={author}
        starts={starts}
        ends={ends}
        tick={waiting !== null && failure === null ? 'sending' : undefined}
      >
        {text}
      </MessageBubble>
      {waiting !== null && failure !== null && (
        <FailedMessage
          reason={notSentBecause(failure)}
          retryLabel="Send again"
          onRetry={() => model.retry(waiting.clientId)}
          onDiscard={() => model.discard(waiting.clientId)}
        />
      )}
    </>
  );
}
