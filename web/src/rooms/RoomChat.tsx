/** The room's chat: the last ten messages under a closed bar; log, stamps, composer and earlier pages while open. */
import { limits, type Result, type RoomDocument } from '@tunemate/protocol';
import { useRef, useState } from 'react';
import { clockTime } from '../messages/day-label.ts';
import { MessageComposer } from '../messages/MessageComposer.tsx';
import { useReadable } from '../store/use-readable.ts';
import { ChatDock } from '../ui/chat/ChatDock.tsx';
import { MessageLine } from '../ui/chat/MessageLine.tsx';
import { chatBubbles } from './chat-bubbles.ts';
import type { ChatModel } from './chat-model.ts';
import { ChatMessages } from './ChatMessages.tsx';
import { ChatText } from './ChatText.tsx';
import { mentionOf } from './mentions.ts';
import { roomSentences } from './room-copy.ts';
import { messageDeleted, notStampedBecause } from './stamp-words.ts';
import { StampRow } from './StampRow.tsx';
import styles from './RoomChat.module.css';

export interface RoomChatProps {
  model: ChatModel;
  self: { uid: string; name: string };
  room: RoomDocument;
  isOpen: boolean;
  /** Messages that named this person while the chat was closed. */
  named: number;
  onToggle: () => void;
}

export function RoomChat({ model, self, room, isOpen, named, onToggle }: RoomChatProps) {
  const log = useReadable(model.log);
  const [draft, setDraft] = useState('');
  const [refused, setRefused] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const bubbles = chatBubbles(log.messages, useReadable(model.waiting), self);
  const people = room.participants;
  const ask = (request: Promise<Result<unknown>>): void =>
    void request.then((answer) => setRefused(answer.ok ? '' : notStampedBecause(answer.error)));
  const reply = (name: string): void => {
    setDraft(`${mentionOf(name)}${draft}`);
    box.current?.querySelector('input')?.focus();
  };
  return (
    <ChatDock
      label="Room chat"
      open={isOpen}
      onToggle={onToggle}
      closedWords={roomSentences.chatClosed}
      openWords={roomSentences.chatOpen}
      linesLabel={`Last ${limits.collapsedChatMessages} messages`}
      badge={{ count: named, words: named === 1 ? 'message names you' : 'messages name you' }}
      lines={bubbles.slice(-limits.collapsedChatMessages).map((bubble) => (
        <MessageLine key={bubble.key} author={bubble.author.name} time={clockTime(bubble.atMs)}>
          {bubble.isDeleted ? messageDeleted : <ChatText text={bubble.text} people={people} />}
        </MessageLine>
      ))}
    >
      <ChatMessages
        model={model}
        bubbles={bubbles}
        hasEarlier={log.hasEarlierMessages}
        people={people}
        selfUid={self.uid}
        onReply={reply}
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
          onDraft={setDraft}
          tooLong={roomSentences.messageTooLong}
          onSend={(text) => model.send(text)}
        />
      </div>
    </ChatDock>
  );
}
