/** The open chat of a room: its log, stamps for what plays, and the composer. Loaded soon after the room. */
import type { Result, RoomDocument, UserCard } from '@tunemate/protocol';
import { useRef, useState } from 'react';
import { MessageComposer } from '../../messages/MessageComposer.tsx';
import { useReadable } from '../../store/use-readable.ts';
import type { ChatBubble } from './chat-bubbles.ts';
import type { ChatModel } from './chat-model.ts';
import { ChatMessages } from './ChatMessages.tsx';
import { mentionOf } from './mentions.ts';
import { roomSentences } from '../room-copy.ts';
import { notStampedBecause } from './stamp-words.ts';
import { StampRow } from './StampRow.tsx';
import styles from './RoomChat.module.css';

export interface OpenRoomChatProps {
  model: ChatModel;
  self: { uid: string };
  room: RoomDocument;
  bubbles: readonly ChatBubble[];
  /** Kept by the caller, so that closing the chat loses no words. */
  draft: string;
  onDraft: (draft: string) => void;
  /** The author of a message was pressed, or a message of theirs is to be reported. */
  onPerson: (person: UserCard, reportedMessage?: string) => void;
}

export function OpenRoomChat({ model, self, room, bubbles, draft, onDraft, onPerson }: OpenRoomChatProps) {
  const log = useReadable(model.log);
  const [refused, setRefused] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const ask = (request: Promise<Result<unknown>>): void =>
    void request.then((answer) => setRefused(answer.ok ? '' : notStampedBecause(answer.error)));
  const reply = (name: string): void => {
    onDraft(`${mentionOf(name)}${draft}`);
    box.current?.querySelector('input')?.focus();
  };
  return (
    <>
      <ChatMessages
        model={model}
        bubbles={bubbles}
        hasEarlier={log.hasEarlierMessages}
        people={room.participants}
        selfUid={self.uid}
        onReply={reply}
        onPerson={onPerson}
        onStamp={(id, stamp, isOn) => ask(model.stamp(id, stamp, isOn))}
        onDelete={room.host === self.uid ? (id) => ask(model.deleteMessage(id)) : undefined}
      />
      <div className={styles.reactions}>
        <StampRow label="React to what plays" onPress={(stamp) => ask(model.cheer(stamp))} />
        {refused !== '' && <p role="alert">{refused}</p>}
      </div>
      <div ref={box}>
        <MessageComposer
          draft={draft}
          onDraft={onDraft}
          tooLong={roomSentences.messageTooLong}
          onSend={(text) => model.send(text)}
        />
      </div>
    </>
  );
}
