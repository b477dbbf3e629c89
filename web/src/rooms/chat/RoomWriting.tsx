/** The message field of a room: a new message, a reply or an edit, and who else is typing. */
import type { RoomDocument, RoomQuote, SlowSeconds } from '@tunemate/protocol';
import { useCallback, useState, useEffect } from 'react';
import { useApp } from '../../app-context.ts';
import { EmojiButton } from '../../chats/emoji/EmojiButton.tsx';
import { replyWords } from '../../messages/reply-words.ts';
import { WritingField, type WritingMode } from '../../messages/WritingField.tsx';
import type { Cell } from '../../store/cell.ts';
import { useModel } from '../../store/use-model.ts';
import { useReadable } from '../../store/use-readable.ts';
import { t } from '../../language/t.ts';
import type { ChatModel } from './chat-model.ts';
import { createRoomTyping, typingWords } from './room-typing.ts';
import { slowWaitMs } from '@tunemate/domain';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { waitInWords } from '../../words/errors.ts';

/** A message by its id, and what it quotes. */
export type RoomWritingMode = WritingMode<string, RoomQuote>;

export interface RoomWritingProps {
  model: ChatModel;
  self: { uid: string };
  room: RoomDocument;
  /** Of the caller, so that the text stays when the chat is closed. */
  draft: Cell<string>;
  mode: RoomWritingMode | null;
  /** Whether the message with this id was deleted meanwhile. */
  isGone: (messageId: string) => boolean;
  onMode: (mode: RoomWritingMode | null) => void;
  /** Edits the last message of the user, if it can be edited. */
  onEditLast: () => void;
  /** The user has changed the text of a message. */
  onEdit: (messageId: string, text: string, edits: number) => void;
}

export function RoomWriting(props: RoomWritingProps) {
  const { model, self, room, draft, isGone, onEdit, ...field } = props;
  const typing = useTyping(props);
  const wait = useSlowWait(props);
  const [refused, setRefused] = useState('');

  function send(text: string, quote: RoomQuote | null): boolean {
    const waitMs = wait();
    setRefused(waitMs > 0 ? againIn(waitMs) : '');
    return waitMs === 0 && model.send(text, quote ?? undefined);
  }

  return (
    <WritingField
      {...field}
      draft={useReadable(draft)}
      onDraft={draft.set}
      quoted={(quote) => ({
        name: quoteName(quote, self.uid),
        text: isGone(quote.id) ? replyWords.messageDeleted : quote.text,
      })}
      tooLong={t`A message has at most 2,000 characters.`}
      onSend={send}
      onEdit={({ id, text, edits }) => onEdit(id, text, edits)}
      onTyping={() => typing?.send(room.people)}
      lead={<EmojiButton />}
    >
      {room.slowSeconds !== null && room.host !== self.uid && (
        <SlowChatLine seconds={room.slowSeconds} wait={wait} refused={refused} />
      )}
      <TypingLine typing={typing} people={room.participants} />
    </WritingField>
  );
}

/** The name over a quote. */
export const quoteName = ({ sender, senderName }: RoomQuote, self: string): string =>
  sender === self ? replyWords.you : senderName;

type RoomTyping = ReturnType<typeof createRoomTyping>;

function useTyping({ model, self: { uid }, room }: RoomWritingProps): RoomTyping | null {
  const { connection } = useApp();
  const { kind, code, roomId } = room;
  const { log } = model;
  return useModel(
    useCallback(
      () => createRoomTyping({ connection, room: { kind, code, roomId }, self: uid, log }),
      [connection, kind, code, roomId, uid, log],
    ),
  );
}

function TypingLine({ typing, people }: { typing: RoomTyping | null; people: RoomDocument['participants'] }) {
  return typing && <TypingWords typing={typing} people={people} />;
}

function TypingWords({ typing, people }: { typing: RoomTyping; people: RoomDocument['participants'] }) {
  const words = typingWords(useReadable(typing.people), people);
  return words === '' ? null : (
    <output dir="auto" style={{ padding: '0 16px', fontSize: '14px' }}>
      {words}
    </output>
  );
}

// Above the message field of a slow chat: how often guests may write, and how long the user still has to wait.

interface SlowChatParts {
  model: Pick<ChatModel, 'log' | 'waiting'>;
  self: { uid: string };
  room: Pick<RoomDocument, 'host' | 'slowSeconds'>;
}

/**
 * Answers how long the user waits at the moment of the call; 0 when they may write. Their latest message may lie before
 * the loaded ones: then the server refuses the next one, with the time to wait.
 */
function useSlowWait({ model, self: { uid }, room }: SlowChatParts): () => number {
  const { serverNowMs } = useApp();
  const own = useReadable(model.log).messages.findLast(({ sender }) => sender === uid);
  const isSending = useReadable(model.waiting).some(({ failure }) => failure === null);
  return () => {
    const nowMs = serverNowMs();
    const lastAtMs = isSending ? nowMs : (own?.timestamp ?? null);
    return slowWaitMs({ slowSeconds: room.slowSeconds, isHost: room.host === uid, lastAtMs, nowMs });
  };
}

const readEveryMs = 250;

interface SlowChatLineProps {
  seconds: SlowSeconds;
  wait: () => number;
  /** What is read out once the user has pressed too early. */
  refused: string;
}

function SlowChatLine({ seconds, wait, refused }: SlowChatLineProps) {
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

const againIn = (waitMs: number): string => t`You can write again in ${waitInWords(waitMs)}.`;
