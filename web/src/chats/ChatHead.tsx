/** Above an open chat: the way back, who it is with and whether they are here, and what else can be done. */
import { useState } from 'react';
import { Link } from 'wouter';
import type { OpenConversation } from './conversation-model.ts';
import { conversationWords } from './conversation-words.ts';
import { chatWords } from './chat-words.ts';
import { ModalCard } from '../ui/dialogs/ModalCard.tsx';
import { BackIcon, MoreIcon } from '../ui/icons/icons.tsx';
import { Button } from '../ui/keys/Button.tsx';
import { IconButton } from '../ui/keys/IconButton.tsx';
import { Disc } from '../ui/records/Disc.tsx';
import { Presence } from '../ui/records/Presence.tsx';
import styles from './ChatScreen.module.css';
import type { ChatActs } from './use-chat-acts.ts';
import { useHold } from './use-hold.ts';

export interface ChatHeadProps {
  conversation: OpenConversation;
  isTyping: boolean;
  acts: ChatActs;
}

export function ChatHead({ conversation, isTyping, acts }: ChatHeadProps) {
  const { other, presence, isSoulmate } = conversation;
  const hold = useHold(acts.toggleSoulmate);
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  return (
    <header className={styles.head}>
      <Link href="/chats" className={styles.back}>
        <BackIcon size={22} />
        <span>{chatWords.back}</span>
      </Link>
      <button
        type="button"
        className={styles.avatar}
        aria-label={(isSoulmate ? chatWords.avatarOfSoulmate : chatWords.avatar)(other.name)}
        {...hold}
      >
        <Disc id={other.uid} name={other.name} size="md" />
      </button>
      <div className={styles.who}>
        <h1>{other.name}</h1>
        {isTyping ? (
          <output className={styles.typing}>{conversationWords.typing}</output>
        ) : (
          presence !== null && <Presence online={presence.state === 'online'} />
        )}
      </div>
      <IconButton
        label={chatWords.more}
        icon={<MoreIcon size={22} />}
        aria-haspopup="dialog"
        onClick={() => setIsMenuOpen(true)}
      />
      {isMenuOpen && <ChatMenu conversation={conversation} acts={acts} onClose={() => setIsMenuOpen(false)} />}
    </header>
  );
}

function ChatMenu({ conversation, acts, onClose }: Omit<ChatHeadProps, 'isTyping'> & { onClose: () => void }) {
  const { other, isSoulmate, isBlockedByMe, isGone } = conversation;
  const then = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <ModalCard title={other.name} onCancel={onClose}>
      <Button variant="quiet" data-first-focus onClick={onClose}>
        {chatWords.cancel}
      </Button>
      <Button variant="danger" onClick={then(acts.toggleBlock)}>
        {isBlockedByMe ? chatWords.unblock : chatWords.block}
      </Button>
      {!isGone && (
        <Button variant={isSoulmate ? 'danger' : 'primary'} onClick={then(acts.toggleSoulmate)}>
          {isSoulmate ? chatWords.part : chatWords.ask}
        </Button>
      )}
    </ModalCard>
  );
}
