/** The room's chat: the last ten messages under a closed bar; log, composer and earlier pages while open. */
import { limits } from '@tunemate/protocol';
import { useState } from 'react';
import { MessageComposer } from '../messages/MessageComposer.tsx';
import { useReadable } from '../store/use-readable.ts';
import { ChatDock } from '../ui/chat/ChatDock.tsx';
import { MessageLine } from '../ui/chat/MessageLine.tsx';
import { chatBubbles } from './chat-bubbles.ts';
import type { ChatModel } from './chat-model.ts';
import { ChatMessages } from './ChatMessages.tsx';
import { roomSentences } from './room-copy.ts';

export interface RoomChatProps {
  model: ChatModel;
  self: { uid: string; name: string };
  isOpen: boolean;
  onToggle: () => void;
}

export function RoomChat({ model, self, isOpen, onToggle }: RoomChatProps) {
  const log = useReadable(model.log);
  const [draft, setDraft] = useState('');
  const bubbles = chatBubbles(log.messages, useReadable(model.waiting), self);
  return (
    <ChatDock
      label="Room chat"
      open={isOpen}
      onToggle={onToggle}
      closedWords={roomSentences.chatClosed}
      openWords={roomSentences.chatOpen}
      linesLabel={`Last ${limits.collapsedChatMessages} messages`}
      lines={bubbles.slice(-limits.collapsedChatMessages).map((bubble) => (
        <MessageLine key={bubble.key} author={bubble.author.name}>
          {bubble.text}
        </MessageLine>
      ))}
    >
      <ChatMessages model={model} bubbles={bubbles} hasEarlier={log.hasEarlierMessages} />
      <MessageComposer
        draft={draft}
        onDraft={setDraft}
        tooLong={roomSentences.messageTooLong}
        onSend={(text) => model.send(text)}
      />
    </ChatDock>
  );
}
