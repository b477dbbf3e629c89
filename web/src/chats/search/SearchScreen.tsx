/** The search of the messages of all chats, while the user types, newest first. A press on one opens its chat there. */
import type { FoundMessage } from '@tunemate/protocol';
import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { BackToHome } from '../../shell/BackToHome.tsx';
import { navigate } from '../../store/address.ts';
import { type Now, useNow } from '../../store/use-now.ts';
import { useReadable } from '../../store/use-readable.ts';
import { LoadingScreen } from '../../ui/feedback/LoadingScreen.tsx';
import { AppLayout } from '../../ui/layout/AppLayout.tsx';
import { ListPage } from '../../ui/layout/ListPage.tsx';
import { Row } from '../../ui/lists/Row.tsx';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { useKeyDown } from '../../ui/use-key-down.ts';
import { formatWhen } from '../../words/dates.ts';
import { chatWords } from '../chat-words.ts';
import type { ChatsModel } from '../chats-model.ts';
import { conversationWords } from '../conversation-words.ts';
import { t } from '../../language/t.ts';
import { Excerpt, FoundList, keyOf, useFound } from './found-messages.tsx';
import { WordsField } from './WordsField.tsx';

export function SearchScreen() {
  const chats = useReadable(useApp().chats);
  return (
    <AppLayout band="celadon" title={chatWords.bandTitle}>
      <ListPage title={chatWords.listTitle} action={<BackToHome variant="ghost" />}>
        {chats === null ? <LoadingScreen fill={false} /> : <Search chats={chats} />}
      </ListPage>
    </AppLayout>
  );
}

/** What was searched for stays with the entry of the browser's history: a user who comes back from a chat finds it again. */
const keptWords = (): string => (history.state as { words?: string } | null)?.words ?? '';
const keepWords = (words: string): void => history.replaceState({ words }, '');

const head = { display: 'flex', gap: '12px', alignItems: 'baseline', justifyContent: 'space-between' } as const;
const apart = { borderTop: '1px solid var(--line)' } as const;

function Search({ chats }: { chats: ChatsModel }) {
  const [query, setQuery] = useState(keptWords);
  const search = useFound(chats, query);
  const { found, state, clear } = search;
  const nowMs = useNow(useApp().serverNowMs);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLElement>(null);
  // After the heading, which has the focus on a new page. A user who comes back has words in it and reads what was found.
  useEffect(() => {
    if (keptWords() === '') field.current?.focus();
  }, []);
  useEffect(() => {
    if (found.query !== '') keepWords(found.query);
  }, [found.query]);
  const { messages } = found;
  const end = (): void => navigate('/chats');
  const page = useRef<HTMLDivElement>(null);
  useKeyDown(page, ({ key }) => {
    if (key === 'Escape') end();
  });

  function type(words: string): void {
    setQuery(words);
    if (words.trim() !== '') return;
    clear();
    keepWords('');
  }
  return (
    <div ref={page} style={pageStyle}>
      <WordsField
        ref={field}
        value={query}
        onChange={type}
        onEnter={() => list.current?.querySelector('a')?.focus()}
        onEnd={end}
      />
      <div style={head}>
        {messages.length > 0 && <h2>{t`Messages`}</h2>}
        <output className={messages.length > 0 ? 'meta' : undefined}>{state}</output>
      </div>
      <FoundList search={search} listRef={list} bleed>
        {messages.map((message, at) => (
          <li key={keyOf(message)} style={at > 0 ? apart : undefined}>
            <Result message={message} query={found.query} nowMs={nowMs} />
          </li>
        ))}
      </FoundList>
    </div>
  );
}

const pageStyle = { '--field-h': '52px', display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: '12px' } as const;

function Result({ message, query, nowMs }: { message: FoundMessage; query: string; nowMs: Now }) {
  const { number, other, sender, excerpt, timestamp } = message;
  return (
    <Row
      roomy
      href={`/chat/${other.uid}?message=${String(number)}`}
      lead={<Avatar id={other.uid} name={other.name} />}
      title={other.name}
      detail={<Excerpt text={excerpt} query={query} lead={sender === other.uid ? undefined : conversationWords.mine} />}
      when={<time dateTime={new Date(timestamp).toISOString()}>{formatWhen(timestamp, nowMs)}</time>}
    />
  );
}
