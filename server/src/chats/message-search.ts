/** Searching private messages: in all of one's chats, or in one of them, newest first, a page at a time; and by a day. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { excerptOf, soughtIn } from '@tunemate/domain';
import { type FoundMessage, limits, type PairId, type Result, type Uid, type Value } from '@tunemate/protocol';
import type { Handlers } from '../access/subjects.ts';
import { peopleOf, shownName } from '../storage/people.ts';
import type { StreamRecord } from '../storage/record.ts';
import { accept } from '../system/ports.ts';
import { firstSince } from './messages-store.ts';
import { findMessages, isIndexWhole } from './message-index.ts';

interface Asked {
  reader: Uid;
  pairId: PairId | null;
  words: string;
  from?: number | undefined;
}

export function messageSearchService({ record: { db } }: { record: StreamRecord }) {
  async function search({ reader, pairId, words, from = 0 }: Asked): Promise<Result<Value<'chats/search'>>> {
    const sought = soughtIn(words);
    if (sought.length === 0) return accept({ found: [], hasMore: false, isWhole: true });
    const most = limits.foundMessages;
    const rows = await findMessages(db, { reader, sought, pairId, from, most: most + 1 });
    const people = await peopleOf(db, [...new Set(rows.map(({ other }) => other as Uid))]);
    // A message that was edited into a much longer one is found a few minutes too early.
    const page = rows.slice(0, most).toSorted((one, next) => next.timestamp_ms - one.timestamp_ms);
    const found: FoundMessage[] = [];
    for (const row of page) {
      const other = row.other as Uid;
      found.push({
        pairId: row.pair_id as PairId,
        number: row.number,
        other: { uid: other, name: shownName(people.get(other)?.name) },
        sender: row.sender as Uid,
        excerpt: excerptOf(row.text, words),
        hasImage: row.image !== null,
        timestamp: row.timestamp_ms,
      });
      // To mark what was found in a long message takes milliseconds: others are served meanwhile.
      await nextTurn();
    }
    return accept({ found, hasMore: rows.length > most, isWhole: await isIndexWhole(db) });
  }

  return {
    handlers: {
      'chats/search': (caller, { words, from }) => search({ reader: caller.uid, pairId: null, words, from }),
      'chats/searchInChat': ({ caller, side }, { words, from }) =>
        search({ reader: caller.uid, pairId: side.pairId, words, from }),
      'chats/firstSince': async ({ caller, side: { pairId, lastNumber: last } }, { since: sinceMs }) =>
        accept({ number: await firstSince(db, caller.uid, pairId, { last, sinceMs }) }),
    } satisfies Partial<Handlers>,
  };
}
