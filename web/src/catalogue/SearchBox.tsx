/** The field of a room's search. The room's layout places it. */
import { useState, type Ref } from 'react';
import { limits } from '@tunemate/protocol';
import { useReadable } from '../store/use-readable.ts';
import { SearchField } from '../ui/fields/SearchField.tsx';
import { catalogueSentences } from './catalogue-copy.ts';
import type { SearchModel } from './search-model.ts';

/** The caller owns the query, so that Cancel can empty it. */
export interface SearchBoxProps {
  model: SearchModel;
  label: string;
  placeholder: string;
  inputRef?: Ref<HTMLInputElement> | undefined;
}

export function SearchBox({ model, label, placeholder, inputRef }: SearchBoxProps) {
  const [query, setQuery] = useState('');
  const search = useReadable(model.status);
  const { status } = search;
  const [before, setBefore] = useState(status);
  if (before !== status) {
    setBefore(status);
    if (status === 'closed') setQuery('');
  }
  return (
    <SearchField
      label={label}
      placeholder={placeholder}
      action={catalogueSentences.search}
      value={query}
      onChange={setQuery}
      onSearch={() => void model.search(query)}
      maxLength={limits.searchQueryLength}
      // Busy with other words it takes these at once.
      busy={search.status === 'searching' && search.query === query.trim()}
      inputRef={inputRef}
    />
  );
}
