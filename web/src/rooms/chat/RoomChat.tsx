/** The room's chat: closed, a bar with the last ten messages; open, its body, which is loaded after the room. */
import { limits, type RoomDocument, type RoomMessage, type UserCard } from '@tunemate/protocol';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { clockTime } from '../../words/dates.ts';
import { cell } from '../../store/cell.ts';
import { afterFirstSound } from '../../store/first-sound.ts';
import { prefetch, useFetched } from '../../store/use-fetched.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Badge } from '../../ui/buttons/Badge.tsx';
import { ChevronDownIcon, ChevronUpIcon, MessageIcon } from '../../ui/icons/inside-icons.tsx';
import { keyboardScroll } from '../../ui/keyboard-scroll.ts';
import { deletedWords, roomSentences } from '../room-words.ts';
import { ChatText, isNamed, type Person } from './ChatText.tsx';
import type { OpenRoomChatProps } from './OpenRoomChat.tsx';
import { type ChatBubble, chatBubbles, type ChatModel, mostWhileClosed } from './chat-model.ts';
import { useNow } from '../../store/use-now.ts';
import { t } from '../../language/t.ts';
import styles from './ChatDock.module.css';

const fetchBody = () => import('./OpenRoomChat.tsx');

function Body(props: OpenRoomChatProps) {
  const code = useFetched(fetchBody);
  return code && <code.OpenRoomChat {...props} />;
}

interface RoomChatProps {
  model: ChatModel;
  self: UserCard;
  room: RoomDocument;
  isOpen: boolean;
  /** How many messages came while the chat was closed, and how many of these mention the user. */
  unseen: { messages: number; named: number };
  onToggle: () => void;
  onPerson: OpenRoomChatProps['onPerson'];
}

export function RoomChat({ model, self, room, isOpen, unseen, onToggle, onPerson }: RoomChatProps) {
  // The times of the messages are those of this device's zone.
  const nowMs = useNow(Date.now);
  const log = useReadable(model.log);
  useEffect(() => {
    if (!isOpen && log.messages.length > mostWhileClosed) model.letGo();
  }, [model, log, isOpen]);
  // What is written draws the field alone, and no message.
  const [draft] = useState(() => cell(''));
  const bubbles = chatBubbles(log.messages, useReadable(model.waiting), self);
  const failed = bubbles.filter(hasFailed).length;
  const last = bubbles.slice(-limits.collapsedChatMessages);
  const people = room.participants;
  const id = useId();
  useEffect(() => prefetch(() => afterFirstSound().then(fetchBody)), []);
  // In a low window it opens below what is in sight.
  const dock = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) dock.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <section ref={dock} className={styles.dock} aria-label={t`Room chat`}>
      <button type="button" className={styles.bar} aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
        {isOpen ? <ChevronDownIcon /> : <MessageIcon size={18} />}
        <span>{isOpen ? t`Click here to Return Room` : t`Click here to Start Chat`}</span>
        {!isOpen && <Badge {...badgeOf(unseen, failed)} onBand />}
        {!isOpen && <ChevronUpIcon />}
      </button>
      <div id={id} className={styles.content}>
        {isOpen ? (
          <Body {...{ model, self, room, bubbles, draft, onPerson, nowMs }} />
        ) : (
          <div
            className={styles.lines}
            role="log"
            aria-label={t`Last ${limits.collapsedChatMessages} messages`}
            {...keyboardScroll}
          >
            <div>
              {last.length === 0
                ? roomSentences.noMessages
                : last.map((bubble) => (
                    <MessageLine
                      key={bubble.key}
                      author={bubble.author.name}
                      time={hasFailed(bubble) ? roomSentences.notSent : clockTime(bubble.atMs, nowMs)}
                    >
                      {bubble.isDeleted ? deletedWords(bubble) : <ChatText text={bubble.text} people={people} />}
                    </MessageLine>
                  ))}
            </div>
          </div>
        )}
      </div>
    </section>
  );
}

/** One of the last messages, as a plain line. */
function MessageLine({ author, time, children }: { author: string; time: string; children: ReactNode }) {
  return (
    <p className={styles.messageLine}>
      <b dir="auto">{author}</b> <span dir="auto">{children}</span>{' '}
      <span className={styles.at} style={unbroken}>
        {time}
      </span>
    </p>
  );
}

/** '06:54 PM' is one word. */
const unbroken = { whiteSpace: 'nowrap' } as const;

const hasFailed = ({ waiting }: ChatBubble): boolean => Boolean(waiting?.failure);

/** What was not sent counts more than a mention, and that more than the rest. */
function badgeOf({ messages, named }: RoomChatProps['unseen'], failed: number): { count: number; words: string } {
  if (failed > 0) return { count: failed, words: failed === 1 ? t`message not sent` : t`messages not sent` };
  if (named > 0) return { count: named, words: named === 1 ? t`message names you` : t`messages name you` };
  return { count: messages, words: messages === 1 ? t`new message` : t`new messages` };
}

/** How many messages the user has not seen, and how many of these mention the user. */
export function useUnseen({ log }: ChatModel, people: readonly Person[], selfUid: string, isSeen: boolean) {
  const { messages } = useReadable(log);
  const last = messages.at(-1)?.number ?? 0;
  const [seen, setSeen] = useState(last);
  if (isSeen && seen !== last) setSeen(last);
  const isForUser = ({ text, reply }: RoomMessage) => reply?.sender === selfUid || isNamed(text, people, selfUid);
  const fresh = messages.filter(({ number, sender }) => number > seen && sender !== selfUid);
  return { messages: fresh.length, named: fresh.filter(isForUser).length };
}
