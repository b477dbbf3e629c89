/**
 * The sheet that searches messages, in one chat or in all: while the user types, newest first. A press on one goes to
 * it in its chat.
 */
import { markedParts } from '@tunemate/domain';
import type { FoundMessage, PairId, Refusal, UserCard } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useApp, useUser } from '../../app-context.ts';
import { useBusy } from '../../store/use-busy.ts';
import { type Now, useNow } from '../../store/use-now.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { Sheet } from '../../ui/dialogs/Sheet.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { List } from '../../ui/lists/List.tsx';
import { Row } from '../../ui/lists/Row.tsx';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { formatWhen } from '../../words/dates.ts';
import { sentenceOf } from '../../words/errors.ts';
import type { ChatsModel } from '../chats-model.ts';
import { twoLines } from '../../ui/two-lines.ts';
import type { Goal } from '../ConversationLog.tsx';
import { t } from '../../language/t.ts';

interface SearchMessagesProps {
  chats: ChatsModel;
  /** The chat that is on the screen; all without it. */
  chat?: { pairId: PairId; other: UserCard };
  /** Shows a message of that chat. */
  onGo?: (goal: Goal) => void;
  onClose: () => void;
}

interface Found {
  /** What was typed for it. */
  readonly query: string;
  readonly messages: readonly FoundMessage[];
  readonly hasMore: boolean;
  readonly isWhole: boolean;
}

const nothing: Found = { query: '', messages: [], hasMore: false, isWhole: true };

export function SearchMessages({ chats, chat, onGo, onClose }: SearchMessagesProps) {
  const [query, setQuery] = useState('');
  const { found, failure, isSearching, more, clear } = useFound(chats, query, chat?.pairId);
  const nowMs = useNow(useApp().serverNowMs);
  const field = useRef<HTMLInputElement>(null);
  // After the sheet, which gives its first button the focus.
  useEffect(() => field.current?.focus(), []);
  const { messages, hasMore, isWhole } = found;
  return (
    <Sheet title={chat ? t`Search the chat with ${chat.other.name}` : t`Search messages`} onClose={onClose}>
      <TextField
        label={words.field}
        hideLabel
        placeholder={words.field}
        autoComplete="off"
        enterKeyHint="search"
        ref={field}
        value={query}
        onChange={({ target: { value } }) => {
          setQuery(value);
          if (value.trim() === '') clear();
        }}
      />
      <output>{failure === null ? stateOf(query, found, isSearching) : sentenceOf(failure)}</output>
      {chat && onGo && query.trim() === '' && <GoToDay {...{ chats, onGo, onClose }} pairId={chat.pairId} />}
      {!isWhole && <p>{words.notWhole}</p>}
      <List label={t`Messages found`}>
        {messages.map((message) => (
          <li key={`${message.pairId} ${String(message.number)}`}>
            <Result {...{ message, found, nowMs, onClose }} self={chats.self} onGo={onGo} />
          </li>
        ))}
      </List>
      {hasMore && found.query === query.trim() && (
        <Button variant="ghost" small busy={isSearching} onClick={more}>
          {t`More messages`}
        </Button>
      )}
    </Sheet>
  );
}

function stateOf(query: string, { messages, hasMore, query: asked }: Found, isSearching: boolean): string {
  if (query.trim() === '') return t`Type words, or how they begin.`;
  if (asked !== query.trim()) return isSearching ? t`Searching…` : '';
  if (messages.length === 0) return t`No message has these words.`;
  return hasMore ? words.foundFirst(messages.length) : words.found(messages.length);
}

interface GoToDayProps {
  chats: ChatsModel;
  pairId: PairId;
  onGo: (goal: Goal) => void;
  onClose: () => void;
}

/** Goes to the first message of a day, or after it. */
function GoToDay({ chats, pairId, onGo, onClose }: GoToDayProps) {
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
    onClose();
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

interface ResultProps {
  message: FoundMessage;
  found: Found;
  self: string;
  nowMs: Now;
  onGo: SearchMessagesProps['onGo'];
  onClose: () => void;
}

function Result({ message, found: { query, messages }, self, nowMs, onGo, onClose }: ResultProps) {
  const { number, other, sender, excerpt, timestamp } = message;
  const isMine = sender === self;
  const own = useUser();
  const isOwn = onGo && isMine;
  const person = isOwn ? own : other;
  const go =
    onGo &&
    (() => {
      onClose();
      onGo({ number, found: { query, messages } });
    });
  return (
    <Row
      roomy
      {...(go ? { onPress: go } : { href: `/chat/${other.uid}?message=${String(number)}` })}
      lead={<Avatar id={person.uid} name={person.name} />}
      title={isOwn ? t`You` : other.name}
      detail={<Excerpt text={excerpt} query={query} />}
      when={<time dateTime={new Date(timestamp).toISOString()}>{formatWhen(timestamp, nowMs)}</time>}
    />
  );
}

/** Two lines, with what was found on the band's ink. */
function Excerpt({ text, query }: { text: string; query: string }) {
  return (
    <span style={twoLines}>
      {markedParts(text, query).map(({ text: part, isFound }, index) =>
        isFound ? (
          <mark key={index} style={foundStyle}>
            {part}
          </mark>
        ) : (
          <span key={index}>{part}</span>
        ),
      )}
    </span>
  );
}

const foundStyle = {
  padding: '0 2px',
  borderRadius: '3px',
  background: 'var(--band)',
  color: 'var(--ink)',
  fontWeight: 'var(--w-bold)',
};

const typingPauseMs = 250;

/** What the server finds for the words, once the user stops typing for a moment. */
function useFound(chats: ChatsModel, typed: string, pairId: PairId | undefined) {
  const query = typed.trim();
  const [found, setFound] = useState(nothing);
  const [failure, setFailure] = useState<Refusal | null>(null);
  const [isSearching, setIsSearching] = useState(false);
  /** Of several answers that come late, the one for the latest words counts. */
  const latest = useRef('');

  const ask = useEffectEvent(async (before: Found): Promise<void> => {
    setIsSearching(true);
    const from = before.messages.length;
    const answer = await chats.search({ words: query, pairId, ...(from > 0 && { from }) });
    if (latest.current !== query) return;
    setIsSearching(false);
    setFailure(answer.ok ? null : answer.error);
    if (!answer.ok) return;
    const { found: page, hasMore, isWhole } = answer.value;
    const known = new Set(before.messages.map(keyOf));
    const messages = [...before.messages, ...page.filter((message) => !known.has(keyOf(message)))];
    setFound({ query, messages, hasMore, isWhole });
  });

  useEffect(() => {
    latest.current = query;
    if (query === '') return undefined;
    const timer = setTimeout(() => void ask({ ...nothing, query }), typingPauseMs);
    return () => clearTimeout(timer);
  }, [query]);

  function clear(): void {
    setFound(nothing);
    setFailure(null);
  }
  return { found, failure, isSearching, more: () => void ask(found), clear };
}

const keyOf = ({ pairId, number }: FoundMessage): string => `${pairId} ${String(number)}`;

const words = {
  field: t`Words in messages`,
  found: (count: number) => (count === 1 ? t`1 message` : t`${String(count)} messages`),
  foundFirst: (count: number) => t`The newest ${String(count)} messages`,
  notWhole: t`Older messages are still being prepared for the search. Try again in a few minutes.`,
} as const;
