/** The host's search: the field, and the results below it until Cancel. The room's layout places them. */
import { useState, type Ref } from 'react';
import { limits } from '@tunemate/protocol';
import type { CatalogueItem, NamedTrack } from '@tunemate/protocol';
import { sentenceOf } from '../copy/errors.ts';
import { useReadable } from '../store/use-readable.ts';
import { SearchField } from '../ui/fields/SearchField.tsx';
import { PlusIcon } from '../ui/icons/icons.tsx';
import { PlayIcon } from '../ui/icons/marks.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { List } from '../ui/lists/List.tsx';
import { MediaRow } from '../ui/lists/MediaRow.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { answerHints, catalogueSentences } from './catalogue-copy.ts';
import type { SearchModel, SearchStatus } from './search-model.ts';
import styles from './SearchPanel.module.css';

/** The caller owns the query, so that Cancel can empty it. */
export interface SearchBoxProps {
  model: SearchModel;
  label: string;
  hasYouTube: boolean;
  inputRef?: Ref<HTMLInputElement> | undefined;
}

export function SearchBox({ model, label, hasYouTube, inputRef }: SearchBoxProps) {
  const [query, setQuery] = useState('');
  const { status } = useReadable(model.status);
  const [before, setBefore] = useState(status);
  if (before !== status) {
    setBefore(status);
    if (status === 'closed') setQuery('');
  }
  return (
    <SearchField
      label={label}
      placeholder={hasYouTube ? catalogueSentences.withYouTube : catalogueSentences.libraryOnly}
      action={catalogueSentences.search}
      value={query}
      onChange={setQuery}
      onSearch={() => void model.search(query)}
      maxLength={limits.searchQueryLength}
      busy={status === 'searching'}
      inputRef={inputRef}
    />
  );
}

/** `onEnqueue` is left out where there is no queue. */
export interface SearchResultsProps {
  model: SearchModel;
  formatTime: (seconds: number) => string;
  onChoose: (track: NamedTrack) => void;
  onEnqueue?: ((track: NamedTrack) => void) | undefined;
}

export function SearchResults({ model, formatTime, onChoose, onEnqueue }: SearchResultsProps) {
  const status = useReadable(model.status);
  if (status.status === 'closed') return null;
  const choose = (item: CatalogueItem): void => {
    onChoose(item);
    model.cancel();
  };
  const cancel = (
    <Button variant="ghost" small onClick={() => model.cancel()}>
      {catalogueSentences.cancel}
    </Button>
  );
  const items = status.status === 'found' ? status.answer.items : [];
  return (
    <Section title={catalogueSentences.results} action={cancel}>
      <output className={styles.words}>{wordsOf(status)}</output>
      <List label={catalogueSentences.results}>
        {items.map((item) => (
          <li key={item.videoId} className={styles.item}>
            <MediaRow
              title={item.title}
              tall
              pictureUrl={item.thumbnail ?? undefined}
              detail={item.durationSeconds === null ? undefined : formatTime(item.durationSeconds)}
              trail={<PlayIcon size={18} />}
              onPress={() => choose(item)}
            />
            {onEnqueue && (
              <IconButton
                label={`Add ${item.title} to the queue`}
                icon={<PlusIcon />}
                onClick={() => onEnqueue(item)}
              />
            )}
          </li>
        ))}
      </List>
    </Section>
  );
}

/** A search that was not started shows the reason. A failed one shows 'No results found' (PLAY-W31). */
function wordsOf(status: SearchStatus): string | null {
  if (status.status === 'searching') return catalogueSentences.searching;
  if (status.status === 'failed' && status.refusal.code === 'limit/too-many') return sentenceOf(status.refusal);
  if (status.status !== 'found') return catalogueSentences.nothingFound;
  const { status: answered, items } = status.answer;
  return answerHints[answered] ?? (items.length === 0 ? catalogueSentences.nothingFound : null);
}
