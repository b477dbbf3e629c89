/** The head of an open chat: the link back, and the other person, whose sheet opens from their name and from More. */
import { Suspense, useState } from 'react';
import { Link } from 'wouter';
import type { PersonActions } from '../people/use-person-actions.ts';
import type { OpenConversation } from './open-conversation.ts';
import { conversationCopy } from './conversation-copy.ts';
import { chatCopy } from './chat-words.ts';
import { BackIcon, MoreIcon } from '../ui/icons/icons.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { Presence } from '../ui/records/Presence.tsx';
import styles from './ChatScreen.module.css';
import { useLongPress } from './use-long-press.ts';
import { lazyPart } from '../store/lazy-part.ts';

const PersonSheet = lazyPart(async () => (await import('../people/PersonSheet.tsx')).PersonSheet);

export interface ChatHeadProps {
  conversation: OpenConversation;
  isTyping: boolean;
  actions: PersonActions;
}

export function ChatHead({ conversation, isTyping, actions }: ChatHeadProps) {
  const { other, presence, isSoulmate } = conversation;
  const longPress = useLongPress(actions.toggleSoulmate);
  const { isBlockedByMe, isGone } = conversation;
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const openSheet = (): void => setIsSheetOpen(true);
  return (
    <>
      <header className={styles.head}>
        <BackToChats />
        <button
          type="button"
          className={styles.avatar}
          aria-label={(isSoulmate ? chatCopy.avatarOfSoulmate : chatCopy.avatar)(other.name)}
          {...longPress}
        >
          <Avatar id={other.uid} name={other.name} size="md" />
        </button>
        <div className={styles.who}>
          <h1>
            <button type="button" className={styles.name} aria-haspopup="dialog" onClick={openSheet}>
              {other.name}
            </button>
          </h1>
          {isTyping ? (
            <output className={styles.typing}>{conversationCopy.typing}</output>
          ) : (
            presence !== null && <Presence online={presence.state === 'online'} />
          )}
        </div>
        <IconButton label={chatCopy.more} icon={<MoreIcon size={22} />} aria-haspopup="dialog" onClick={openSheet} />
      </header>
      {/* Beside the head, whose colours on phones are those of its band. */}
      {isSheetOpen && (
        <Suspense>
          <PersonSheet
            person={{ ...other, isOnline: presence && presence.state === 'online' }}
            chat={{ isBlockedByMe, isGone }}
            onClose={() => setIsSheetOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** The head of a chat that is not known yet. */
export function LoadingHead() {
  return (
    <header className={styles.head}>
      <BackToChats />
    </header>
  );
}

function BackToChats() {
  return (
    <Link href="/chats" className={styles.back}>
      <BackIcon size={22} />
      <span>{chatCopy.back}</span>
    </Link>
  );
}
