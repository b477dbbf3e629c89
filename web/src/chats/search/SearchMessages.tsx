/** The sheet that searches the messages of all chats: while the user types, newest first. A press on one opens its chat there. */
import type { FoundMessage } from '@tunemate/protocol';
import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../app-context.ts';
import { type Now, useNow } from '../../store/use-now.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { Sheet } from '../../ui/dialogs/Sheet.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { List } from '../../ui/lists/List.tsx';
import { Row } from '../../ui/lists/Row.tsx';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { formatWhen } from '../../words/dates.ts';
import type { ChatsModel } from '../chats-model.ts';
import { t } from '../../language/t.ts';
import { Excerpt, keyOf, searchWords, useFound } from './found-messages.tsx';

export function SearchMessages({ chats, onClose }: { chats: ChatsModel; onClose: () => void }) {
  const [query, setQuery] = useState('');
  const { found, state, isSearching, more, clear } = useFound(chats, query);
  const nowMs = useNow(useApp().serverNowMs);
  const field = useRef<HTMLInputElement>(null);
  // After the sheet, which gives its first button the focus.
  useEffect(() => field.current?.focus(), []);
  const { messages, hasMore, isWhole } = found;
  return (
    <Sheet title={t`Search messages`} onClose={onClose}>
      <TextField
        label={searchWords.field}
        hideLabel
        placeholder={searchWords.field}
        autoComplete="off"
        enterKeyHint="search"
        ref={field}
        value={query}
        onChange={({ target: { value } }) => {
          setQuery(value);
          if (value.trim() === '') clear();
        }}
      />
      <output>{state}</output>
      {!isWhole && <p>{searchWords.notWhole}</p>}
      <List label={searchWords.list}>
        {messages.map((message) => (
          <li key={keyOf(message)}>
            <Result message={message} query={found.query} nowMs={nowMs} />
          </li>
        ))}
      </List>
      {hasMore && found.query === query.trim() && (
        <Button variant="ghost" small busy={isSearching} onClick={more}>
          {searchWords.more}
        </Button>
      )}
    </Sheet>
  );
}

function Result({ message, query, nowMs }: { message: FoundMessage; query: string; nowMs: Now }) {
  const { number, other, excerpt, timestamp } = message;
  return (
    <Row
      roomy
      href={`/chat/${other.uid}?message=${String(number)}`}
      lead={<Avatar id={other.uid} name={other.name} />}
      title={other.name}
      detail={<Excerpt text={excerpt} query={query} />}
      when={<time dateTime={new Date(timestamp).toISOString()}>{formatWhen(timestamp, nowMs)}</time>}
    />
  );
}
