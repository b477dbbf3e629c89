/** Search results, below the field until Cancel. Loaded with the first search. */
import { useState } from 'react';
import { isLinkAlone } from '@tunemate/domain';
import type { CatalogueAnswer, CatalogueItem, Refusal } from '@tunemate/protocol';
import { sentenceOf } from '../words/errors.ts';
import { useReadable } from '../store/use-readable.ts';
import { PlayIcon } from '../ui/icons/marks.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { List } from '../ui/lists/List.tsx';
import { MediaRow } from '../ui/lists/MediaRow.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { AddAll, AddedNote } from './AddAll.tsx';
import { TrackKeys, type TrackUse } from './ProposeButton.tsx';
import { addedToQueue } from './adding-words.ts';
import type { SearchModel, SearchStatus } from './catalogue-model.ts';
import styles from './SearchResults.module.css';
import { t } from '../language/t.ts';

const title = t`Search Results`;
const nothingFound = t`No results found`;

/** `onChoose` and `onEnqueue` are for the controlling tab, `onPropose` for guests. */
interface SearchResultsProps extends TrackUse {
  model: SearchModel;
  formatTime: (seconds: number) => string;
}

export function SearchResults({ model, formatTime, onEnqueueAll, onDequeueAll, ...use }: SearchResultsProps) {
  const { onChoose } = use;
  const status = useReadable(model.status);
  const [added, setAdded] = useState<Added | null>(null);
  if (status.status === 'closed') return null;
  const choose = (item: CatalogueItem): void => {
    onChoose?.(item);
    model.cancel();
  };
  const items = status.status === 'found' ? status.answer.items : [];
  const words = wordsOf(status);
  const now = added?.of === items ? added : null;
  const action = (
    <span>
      {onEnqueueAll && now === null && status.status === 'found' && status.areLinks && items.length > 1 && (
        <AddAll
          onPress={async () => {
            const count = await onEnqueueAll(items);
            if (count > 0) setAdded({ of: items, count });
          }}
        />
      )}
      <Button variant="ghost" small onClick={() => model.cancel()}>
        {t`Cancel`}
      </Button>
    </span>
  );
  return (
    <Section title={title} action={action}>
      <output className={words === null ? undefined : styles.words}>
        <span>{words ?? <VisuallyHidden>{countOf(items.length)}</VisuallyHidden>}</span>
        {words === nothingFound && status.status === 'found' && isLinkAlone(status.query) && <p>{linkOfNone}</p>}
      </output>
      {now !== null && (
        <AddedNote
          words={addedToQueue(now.count, items.length - now.count)}
          onUndo={async () => {
            await onDequeueAll?.(items.slice(0, now.count));
            setAdded(null);
          }}
        />
      )}
      <List label={title}>
        {(now?.count === items.length ? none : items).map((item) => (
          <li key={item.videoId} className={styles.item}>
            <MediaRow
              title={item.title}
              tall
              id={item.videoId}
              pictureUrl={item.thumbnail ?? undefined}
              detail={detailOf(item, formatTime)}
              trail={onChoose && <PlayIcon size={18} />}
              onPress={onChoose && (() => choose(item))}
            />
            <TrackKeys item={item} {...use} />
          </li>
        ))}
      </List>
    </Section>
  );
}

/** After 'Add all': how many of the items fit into the queue. */
interface Added {
  of: readonly CatalogueItem[];
  count: number;
}

const none: readonly CatalogueItem[] = [];

const countOf = (tracks: number): string => (tracks === 1 ? t`1 track` : t`${tracks} tracks`);

/** The start that a link gives, or the duration. */
function detailOf(item: CatalogueItem, formatTime: (seconds: number) => string): string | undefined {
  const { startSeconds, durationSeconds } = item;
  if (startSeconds !== undefined) return t`from ${formatTime(startSeconds)}`;
  return durationSeconds === null ? undefined : formatTime(durationSeconds);
}

const notMade: ReadonlySet<Refusal['code']> = new Set(['limit/too-many', 'server/unavailable']);

/** A search that was not started, or did not get through, shows the reason. A failed one shows 'No results found'. */
function wordsOf(status: SearchStatus): string | null {
  if (status.status === 'searching') return t`Searching...`;
  if (status.status === 'failed' && notMade.has(status.refusal.code)) return sentenceOf(status.refusal);
  if (status.status !== 'found') return nothingFound;
  const { status: answered, items } = status.answer;
  return answerHints[answered] ?? (items.length === 0 ? nothingFound : null);
}

/** Of a clip, of a channel that is live, or of another service. */
const linkOfNone = t`This link names no video that can be played here. Paste the link of one video or playlist, or search for the title.`;

// What a search says of its own answer; fetched with the results.

/** The note above the results when they may be incomplete. */
const answerHints: Record<CatalogueAnswer['status'], string | null> = {
  ok: null,
  'library-only': null,
  samples: t`The search did not answer. Two tracks of the library instead:`,
  'no-film': t`That link names no film that can be played: it must begin with https, end in .mp4, .m4v, .webm or .m3u8, and have fewer than 1,800 letters behind a question mark.`,
  'host-not-allowed': t`This server plays no films from that host. Its operator can allow it.`,
  'playlist-needs-key': t`Only the video of this link: this server has no key to read playlists.`,
  'minute-used-up': t`YouTube asks for a short pause. Try again in a minute. The library and pasted links still work.`,
  'hour-used-up': t`No more YouTube searches this hour. The library and pasted links still work.`,
  'day-used-up': t`No more YouTube searches today. The library and pasted links still work.`,
};
