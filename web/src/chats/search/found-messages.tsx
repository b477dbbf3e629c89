/** What a search of messages finds while the user types, in one chat or in all: for its page and for the head of a chat. */
import { markedParts } from '@tunemate/domain';
import type { FoundMessage, PairId, Refusal } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ChatsModel } from '../chats-model.ts';
import { sentenceOf } from '../../words/errors.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { List, type ListProps } from '../../ui/lists/List.tsx';
import { twoLines } from '../../ui/two-lines.ts';
import { t } from '../../language/t.ts';

interface Found {
  /** What was typed for it. */
  readonly query: string;
  readonly messages: readonly FoundMessage[];
  readonly hasMore: boolean;
  readonly isWhole: boolean;
}

const nothing: Found = { query: '', messages: [], hasMore: false, isWhole: true };

interface ExcerptProps {
  text: string;
  query: string;
  /** Before the text, and never marked. */
  lead?: string | undefined;
}

/** Two lines, with what was found on the band's ink. */
export function Excerpt({ text, query, lead }: ExcerptProps) {
  return (
    <span style={twoLines}>
      {lead !== undefined && <span>{`${lead} `}</span>}
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
export function useFound(chats: ChatsModel, typed: string, pairId?: PairId) {
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
  const state = failure === null ? stateOf(query, found, isSearching) : sentenceOf(failure);
  const hasMore = found.hasMore && found.query === query;
  return { found, state, isSearching, hasMore, more: () => void ask(found), clear };
}

interface FoundListProps extends Pick<ListProps, 'listRef' | 'bleed' | 'children'> {
  search: Pick<ReturnType<typeof useFound>, 'found' | 'isSearching' | 'hasMore' | 'more'>;
}

/** The rows of what was found, with a word where not all is searched yet, and the key for more. */
export function FoundList({ search: { found, isSearching, hasMore, more }, ...list }: FoundListProps) {
  return (
    <>
      {!found.isWhole && <p>{searchWords.notWhole}</p>}
      <List label={searchWords.list} {...list} />
      {hasMore && (
        <Button variant="ghost" small busy={isSearching} onClick={more}>
          {searchWords.more}
        </Button>
      )}
    </>
  );
}

export const keyOf = ({ pairId, number }: FoundMessage): string => `${pairId} ${String(number)}`;

function stateOf(query: string, { messages, hasMore, query: asked }: Found, isSearching: boolean): string {
  if (query === '') return t`Type words, or how they begin.`;
  if (asked !== query) return isSearching ? t`Searching…` : '';
  if (messages.length === 0) return t`No message has these words.`;
  if (hasMore) return searchWords.foundFirst(messages.length);
  const chats = new Set(messages.map(({ pairId }) => pairId)).size;
  return chats > 1 ? searchWords.foundIn(messages.length, chats) : searchWords.found(messages.length);
}

export const searchWords = {
  field: t`Words in messages`,
  found: (count: number) => (count === 1 ? t`1 message` : t`${String(count)} messages`),
  foundIn: (count: number, chats: number) => t`${String(count)} in ${String(chats)} chats`,
  foundFirst: (count: number) => t`The newest ${String(count)} messages`,
  notWhole: t`Older messages are still being prepared for the search. Try again in a few minutes.`,
  list: t`Messages found`,
  more: t`More messages`,
} as const;
