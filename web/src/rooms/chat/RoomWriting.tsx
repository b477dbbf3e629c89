/** The message field of a room: a new message, a reply or an edit, and who else is typing. */
import type { RoomDocument, RoomQuote } from '@tunemate/protocol';
import { useCallback, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { replyWords } from '../../messages/reply-words.ts';
import { WritingField, type WritingMode } from '../../messages/WritingField.tsx';
import { useModel } from '../../store/use-model.ts';
import { useReadable } from '../../store/use-readable.ts';
import { t } from '../../language/t.ts';
import type { ChatModel } from './chat-model.ts';
import { againIn, SlowChatLine, useSlowWait } from './SlowChat.tsx';
import { createRoomTyping, typingWords } from './room-typing.ts';

/** A message by its id, and what it quotes. */
export type RoomWritingMode = WritingMode<string, RoomQuote>;

interface RoomWritingProps {
  model: ChatModel;
  self: { uid: string };
  room: RoomDocument;
  draft: string;
  onDraft: (draft: string) => void;
  mode: RoomWritingMode | null;
  onMode: (mode: RoomWritingMode | null) => void;
  /** Edits the last message of the user, if it can be edited. */
  onEditLast: () => void;
  /** The user has changed the text of a message. */
  onEdit: (messageId: string, text: string, edits: number) => void;
}

export function RoomWriting(props: RoomWritingProps) {
  const { model, self, room, onEdit, ...field } = props;
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
      quoted={(quote) => ({ name: quoteName(quote, self.uid), text: quote.text })}
      tooLong={t`A message has at most 2,000 characters.`}
      onSend={send}
      onEdit={({ id, text, edits }) => onEdit(id, text, edits)}
      onTyping={() => typing?.send(room.people)}
    >
      {typeof room.slowSeconds === 'number' && room.host !== self.uid && (
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
