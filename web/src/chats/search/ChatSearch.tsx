/**
 * A search in the open chat: a line in its head, what it found beside the messages (on phones over them, until one is
 * chosen), and keys from one found message to the next. The words are marked in the log as long as it is open.
 */
import type { FoundMessage, PairId, UserCard } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { useBusy } from '../../store/use-busy.ts';
import { type Now, useNow } from '../../store/use-now.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { classNames } from '../../ui/class-names.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { BackIcon } from '../../ui/icons/icons.tsx';
import { ChevronDownIcon, ChevronUpIcon } from '../../ui/icons/inside-icons.tsx';
import { useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import { ownSheet } from '../../ui/own-sheet.ts';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { clockTime, dayLabel, formatWhen } from '../../words/dates.ts';
import { sentenceOf } from '../../words/errors.ts';
import type { ChatsModel } from '../chats-model.ts';
import page from '../ChatScreen.module.css';
import type { Goal } from '../ConversationLog.tsx';
import { t } from '../../language/t.ts';
import sheet from './ChatSearch.css?inline';
import { useMarks } from './found-marks.ts';
import { Excerpt, FoundList, keyOf, searchWords, useFound } from './found-messages.tsx';
import { WordsField } from './WordsField.tsx';

const styles = ownSheet('search', sheet);

interface ChatSearchProps {
  chats: ChatsModel;
  chat: { pairId: PairId; other: UserCard };
  /** The message that the chat shows. */
  goal: Goal | null;
  /** Shows a message of the chat. */
  onGo: (goal: Goal) => void;
  onClose: () => void;
}

/** In the place of the head; the rest of the page follows it. */
export function ChatSearch({ chats, chat: { pairId, other }, goal, onGo, onClose }: ChatSearchProps) {
  const [query, setQuery] = useState('');
  const [isListed, setIsListed] = useState(true);
  const search = useFound(chats, query, pairId);
  const { found, state, clear } = search;
  const nowMs = useNow(useApp().serverNowMs);
  const isWide = useWideScreen();
  const field = useRef<HTMLInputElement>(null);
  const { messages } = found;
  const at = messages.findIndex(({ number }) => number === goal?.number);
  useMarks(found.query);
  useEscape(onClose);
  useEffect(() => field.current?.focus(), []);

  function go({ number }: Goal): void {
    setIsListed(false);
    onGo({ number });
  }

  const place = at < 0 ? '' : t`${at + 1} of ${messages.length}`;
  const steps = messages.length > 0 && <Steps messages={messages} at={at} onGo={go} />;
  return (
    <>
      <header className={classNames(page.head, styles.head)}>
        <IconButton label={t`Back`} icon={<BackIcon size={22} />} onClick={onClose} />
        {isWide && <Avatar id={other.uid} name={other.name} size="md" />}
        <h1 dir="auto">{isWide ? other.name : <VisuallyHidden>{other.name}</VisuallyHidden>}</h1>
        <WordsField
          label={t`Search the chat with ${other.name}`}
          ref={field}
          value={query}
          onChange={(words) => {
            setQuery(words);
            setIsListed(true);
            if (words.trim() === '') clear();
          }}
          onEnd={onClose}
        />
        {isWide && steps}
      </header>
      {(isWide || isListed) && (
        <aside className={styles.list} aria-label={searchWords.list}>
          <div className={styles.top}>
            <output className={classNames(messages.length === 0 && styles.quiet)}>{state}</output>
            {isWide && <span className="meta">{place}</span>}
          </div>
          {query.trim() === '' && <GoToDay {...{ chats, onGo: go, pairId }} />}
          <FoundList search={search}>
            {messages.map((message, index) => (
              <li key={keyOf(message)}>
                <Result {...{ message, nowMs }} query={found.query} isCurrent={index === at} onGo={go} />
              </li>
            ))}
          </FoundList>
        </aside>
      )}
      {!isWide && steps && (
        <div className={styles.bar} {...group}>
          <button type="button" className={styles.at} aria-expanded={isListed} onClick={() => setIsListed(!isListed)}>
            <b>{place || state}</b>
            {messages[at] && <When atMs={messages[at].timestamp} nowMs={nowMs} />}
          </button>
          {steps}
        </div>
      )}
    </>
  );
}

const group = { role: 'group', 'aria-label': searchWords.list } as const;

/** Wherever the focus is in the chat: it is on a message once one was chosen. */
function useEscape(onEscape: () => void): void {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isAbove = document.querySelector('dialog[open], [role=menu]') !== null;
      if (event.key === 'Escape' && !event.defaultPrevented && !isAbove) escape();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** 'Today, 14:23' */
function When({ atMs, nowMs }: { atMs: number; nowMs: Now }) {
  const [day, time] = [dayLabel(atMs, nowMs), clockTime(atMs, nowMs)];
  return <span className="meta">{t`${day}, ${time}`}</span>;
}

interface StepsProps {
  messages: readonly FoundMessage[];
  /** The message that the chat shows; -1 before one was chosen. */
  at: number;
  onGo: (message: FoundMessage) => void;
}

/** The newest is the first. */
function Steps({ messages, at, onGo }: StepsProps) {
  return [
    { label: t`The one before`, Icon: ChevronUpIcon, to: messages[at + 1] },
    { label: t`The one after`, Icon: ChevronDownIcon, to: messages[at - 1] },
  ].map(({ label, Icon, to }) => (
    <IconButton
      key={label}
      label={label}
      icon={<Icon size={22} />}
      aria-disabled={to === undefined || undefined}
      onClick={() => to && onGo(to)}
    />
  ));
}

interface ResultProps {
  message: FoundMessage;
  query: string;
  nowMs: Now;
  isCurrent: boolean;
  onGo: (message: FoundMessage) => void;
}

function Result({ message, query, nowMs, isCurrent, onGo }: ResultProps) {
  const { other, sender, excerpt, timestamp } = message;
  return (
    <button type="button" className={styles.found} aria-current={isCurrent || undefined} onClick={() => onGo(message)}>
      <strong dir="auto">{sender === other.uid ? other.name : t`You`}</strong>
      <time className="meta" dateTime={new Date(timestamp).toISOString()}>
        {formatWhen(timestamp, nowMs)}
      </time>
      <Excerpt text={excerpt} query={query} />
    </button>
  );
}

interface GoToDayProps extends Pick<ChatSearchProps, 'chats' | 'onGo'> {
  pairId: PairId;
}

/** Goes to the first message of a day, or after it. */
function GoToDay({ chats, pairId, onGo }: GoToDayProps) {
  const [day, setDay] = useState('');
  const [problem, setProblem] = useState<string>();
  const going = useBusy();

  async function go(): Promise<void> {
    // Midnight of this device.
    const sinceMs = new Date(`${day}T00:00`).getTime();
    if (!(sinceMs >= 0)) return;
    const answer = await chats.firstSince(pairId, sinceMs);
    if (!answer.ok) return setProblem(sentenceOf(answer.error));
    const { number } = answer.value;
    if (number === null) return setProblem(t`There are no messages from this day on.`);
    onGo({ number });
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        going.run(go);
      }}
    >
      <TextField
        label={t`Day`}
        type="date"
        required
        value={day}
        error={problem}
        onChange={(event) => {
          setDay(event.target.value);
          setProblem(undefined);
        }}
      />
      <Button type="submit" small busy={going.isBusy}>
        {t`Go to day`}
      </Button>
    </form>
  );
}
