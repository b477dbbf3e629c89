/** The head of an open chat: the link back, the other person's name and presence, and a menu of actions. */
import { useState } from 'react';
import { Link } from 'wouter';
import type { OpenConversation } from './open-conversation.ts';
import { conversationCopy } from './conversation-copy.ts';
import { chatCopy } from './chat-words.ts';
import { ModalCard } from '../ui/dialogs/ModalCard.tsx';
import { BackIcon, MoreIcon } from '../ui/icons/icons.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { Presence } from '../ui/records/Presence.tsx';
import styles from './ChatScreen.module.css';
import type { ChatActions } from './use-chat-actions.ts';
import { useLongPress } from './use-long-press.ts';

export interface ChatHeadProps {
  conversation: OpenConversation;
  isTyping: boolean;
  actions: ChatActions;
}

export function ChatHead({ conversation, isTyping, actions }: ChatHeadProps) {
  const { other, presence, isSoulmate } = conversation;
  const longPress = useLongPress(actions.toggleSoulmate);
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  return (
    <header className={styles.head}>
      <Link href="/chats" className={styles.back}>
        <BackIcon size={22} />
        <span>{chatCopy.back}</span>
      </Link>
      <button
        type="button"
        className={styles.avatar}
        aria-label={(isSoulmate ? chatCopy.avatarOfSoulmate : chatCopy.avatar)(other.name)}
        {...longPress}
      >
        <Avatar id={other.uid} name={other.name} size="md" />
      </button>
      <div className={styles.who}>
        <h1>{other.name}</h1>
        {isTyping ? (
          <output className={styles.typing}>{conversationCopy.typing}</output>
        ) : (
          presence !== null && <Presence online={presence.state === 'online'} />
        )}
      </div>
      <IconButton
        label={chatCopy.more}
        icon={<MoreIcon size={22} />}
        aria-haspopup="dialog"
        onClick={() => setIsMenuOpen(true)}
      />
      {isMenuOpen && <ChatMenu conversation={conversation} actions={actions} onClose={() => setIsMenuOpen(false)} />}
    </header>
  );
}

function ChatMenu({ conversation, actions, onClose }: Omit<ChatHeadProps, 'isTyping'> & { onClose: () => void }) {
  const { other, isSoulmate, isBlockedByMe, isGone } = conversation;
  const then = (action: () => void) => () => {
    onClose();
    action();
  };
  return (
    <ModalCard title={other.name} onCancel={onClose}>
      <Button variant="quiet" data-first-focus onClick={onClose}>
        {chatCopy.cancel}
      </Button>
      <Button variant="danger" onClick={then(actions.toggleBlock)}>
        {isBlockedByMe ? chatCopy.unblock : chatCopy.block}
      </Button>
      {!isGone && (
        <Button variant={isSoulmate ? 'danger' : 'primary'} onClick={then(actions.toggleSoulmate)}>
          {isSoulmate ? chatCopy.part : chatCopy.ask}
        </Button>
      )}
    </ModalCard>
  );
}
