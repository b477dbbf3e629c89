/** The message field of a room: a new message, a reply or an edit, and who else is typing. */
import { cleanMessage, isBlank, type RoomDocument, type RoomQuote } from '@tunemate/protocol';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { fieldIn, useFieldKeys } from '../../messages/field-keys.ts';
import { MessageComposer } from '../../messages/MessageComposer.tsx';
import { ModeStrip } from '../../messages/ModeStrip.tsx';
import { isTooLong } from '../../messages/outbox.ts';
import { replyWords } from '../../messages/reply-words.ts';
import { useModel } from '../../store/use-model.ts';
import { useReadable } from '../../store/use-readable.ts';
import { t } from '../../language/t.ts';
import type { ChatModel } from './chat-model.ts';
import { againIn, SlowChatLine, useSlowWait } from './SlowChat.tsx';
import { createRoomTyping, typingWords } from './room-typing.ts';

/** What the message field is for, beside a new message. */
export type RoomWritingMode =
  | { readonly type: 'reply'; readonly quote: RoomQuote }
  | {
      readonly type: 'edit';
      readonly id: string;
      /** As it was, and as it is in the field. */
      readonly text: string;
      readonly draft: string;
      readonly edits: number;
    };

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
  const { model, self, room, draft: kept, onDraft, mode, onMode, onEditLast, onEdit } = props;
  const box = useRef<HTMLDivElement>(null);
  const typing = useTyping(props);
  const wait = useSlowWait(props);
  const [refused, setRefused] = useState('');
  const draft = mode?.type === 'edit' ? mode.draft : kept;
  const named = mode && (mode.type === 'edit' ? mode.id : mode.quote.id);
  const isEmpty = draft === '' && mode === null;
  useFieldKeys(box, { onEscape: mode && (() => onMode(null)), onUp: isEmpty ? onEditLast : null });
  useEffect(() => {
    if (named !== null) fieldIn(box)?.focus();
  }, [named]);

  function send(text: string): boolean {
    if (mode?.type !== 'edit') {
      const waitMs = wait();
      setRefused(waitMs > 0 ? againIn(waitMs) : '');
      if (waitMs > 0) return false;
      const isSent = model.send(text, mode?.quote);
      if (isSent) onMode(null);
      return isSent;
    }
    const next = cleanMessage(text);
    if (isBlank(next) || isTooLong(next)) return false;
    if (next !== mode.text) onEdit(mode.id, next, mode.edits + 1);
    onMode(null);
    // The field goes back to its draft by itself.
    return false;
  }

  return (
    <div ref={box}>
      {mode !== null && (
        <ModeStrip
          answers={mode.type === 'edit' ? null : quoteName(mode.quote, self.uid)}
          text={mode.type === 'edit' ? mode.text : mode.quote.text}
          onCancel={() => {
            onMode(null);
            fieldIn(box)?.focus();
          }}
        />
      )}
      {room.slowSeconds !== undefined && room.host !== self.uid && (
        <SlowChatLine seconds={room.slowSeconds} wait={wait} refused={refused} />
      )}
      <TypingLine typing={typing} people={room.participants} />
      <MessageComposer
        draft={draft}
        onDraft={(text) => {
          if (mode?.type === 'edit') onMode({ ...mode, draft: text });
          else onDraft(text);
          if (text.trim() !== '') typing?.send(room.people);
        }}
        tooLong={t`A message has at most 2,000 characters.`}
        onSend={send}
      />
    </div>
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
