/** What full screen shows while its plates are hidden: a dot for pending join requests, and what others write, which
   passes by and lets presses through. Loaded in full screen. */
import type { UserCard } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useState } from 'react';
import { useReadable } from '../../store/use-readable.ts';
import { ChatText, isNamed, type Person } from '../chat/ChatText.tsx';
import type { ChatModel } from '../chat/chat-model.ts';
import styles from './Cinema.module.css';
import { t } from '../../language/t.ts';

const mostLines = 3;
const passesInMs = 6000;
/** A line is paler for its last second. */
const paleAfterMs = 5000;

export interface CinemaProps {
  chat: ChatModel;
  people: readonly Person[];
  self: UserCard;
  /** How many ask to come in. */
  waiting: number;
  onWaiting: () => void;
}

export function Cinema({ chat, people, self, waiting, onWaiting }: CinemaProps) {
  const { messages } = useReadable(chat.log);
  const [passed, setPassed] = useState(messages.at(-1)?.number ?? 0);
  const lines = messages.filter(({ number, sender, isDeleted }) => {
    return number > passed && sender !== self.uid && !isDeleted;
  });
  return (
    <>
      {waiting > 0 && (
        <button type="button" className={styles.dot} data-dot onClick={onWaiting}>
          <span>{waiting === 1 ? t`1 waits for you` : t`${String(waiting)} wait for you`}</span>
        </button>
      )}
      <div role="log" aria-label={t`Room chat`} className={styles.lines} data-passing>
        {lines.slice(-mostLines).map(({ number, senderName, text }) => (
          <Line
            key={number}
            isNamed={isNamed(text, people, self.uid)}
            onPassed={() => setPassed((now) => Math.max(now, number))}
          >
            <strong dir="auto">{senderName}</strong>
            <span> </span>
            <span dir="auto">
              <ChatText text={text} people={people} />
            </span>
          </Line>
        ))}
      </div>
    </>
  );
}

interface LineProps {
  isNamed: boolean;
  onPassed: () => void;
  children: React.ReactNode;
}

function Line({ isNamed: names, onPassed, children }: LineProps) {
  const [isPale, setIsPale] = useState(false);
  const pass = useEffectEvent(onPassed);
  useEffect(() => {
    const timers = [setTimeout(() => setIsPale(true), paleAfterMs), setTimeout(() => pass(), passesInMs)];
    return () => timers.forEach(clearTimeout);
  }, []);
  return (
    <p data-pale={isPale || undefined} data-named={names || undefined}>
      {children}
    </p>
  );
}
