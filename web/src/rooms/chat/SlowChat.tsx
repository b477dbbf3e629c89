/** Above the message field of a slow chat: how often guests may write, and how long the user still has to wait. */
import { slowWaitMs } from '@tunemate/domain';
import type { RoomDocument, SlowSeconds } from '@tunemate/protocol';
import { useEffect, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { useReadable } from '../../store/use-readable.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { waitInWords } from '../../words/errors.ts';
import { t } from '../../language/t.ts';
import type { ChatModel } from './chat-model.ts';

interface SlowChatParts {
  model: Pick<ChatModel, 'log' | 'waiting'>;
  self: { uid: string };
  room: Pick<RoomDocument, 'host' | 'slowSeconds'>;
}

/**
 * Answers how long the user waits at the moment of the call; 0 when they may write. Their latest message may lie before
 * the loaded ones: then the server refuses the next one, with the time to wait.
 */
export function useSlowWait({ model, self: { uid }, room }: SlowChatParts): () => number {
  const { serverNowMs } = useApp();
  const own = useReadable(model.log).messages.findLast(({ sender }) => sender === uid);
  const isSending = useReadable(model.waiting).some(({ failure }) => failure === null);
  return () => {
    const nowMs = serverNowMs();
    const lastAtMs = isSending ? nowMs : (own?.timestamp ?? null);
    return slowWaitMs({ slowSeconds: room.slowSeconds ?? null, isHost: room.host === uid, lastAtMs, nowMs });
  };
}

const readEveryMs = 250;

interface SlowChatLineProps {
  seconds: SlowSeconds;
  wait: () => number;
  /** What is read out once the user has pressed too early. */
  refused: string;
}

export function SlowChatLine({ seconds, wait, refused }: SlowChatLineProps) {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const read = (): void => setLeft(Math.ceil(wait() / 1000));
    read();
    const timer = setInterval(read, readEveryMs);
    return () => clearInterval(timer);
  }, [wait]);
  return (
    <div style={{ padding: '0 16px', fontSize: '14px' }}>
      <p>{left > 0 ? againIn(left * 1000) : t`Slow chat: one message every ${waitInWords(seconds * 1000)}.`}</p>
      <div role="alert">
        <VisuallyHidden>{refused}</VisuallyHidden>
      </div>
    </div>
  );
}

export const againIn = (waitMs: number): string => t`You can write again in ${waitInWords(waitMs)}.`;
