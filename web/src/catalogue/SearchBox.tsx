/** The field of a room's search. */
import { useEffect, useRef, type RefObject } from 'react';
import { useReadable } from '../store/use-readable.ts';
import { SearchField } from '../ui/fields/SearchField.tsx';
import { regainFocus } from '../ui/lost-focus.ts';
import type { SearchModel } from './catalogue-model.ts';

interface SearchBoxProps {
  model: SearchModel;
  label: string;
  placeholder: string;
  inputRef: RefObject<HTMLInputElement | null>;
}

export function SearchBox({ model, label, placeholder, inputRef }: SearchBoxProps) {
  const query = useReadable(model.words);
  const { status } = useReadable(model.status);
  // The key beside it, because a field would open the keyboard of a phone.
  const wasOpen = useRef(false);
  useEffect(() => {
    if (status === 'closed' && wasOpen.current)
      regainFocus(inputRef.current?.closest('[data-panel]')?.querySelector('button'));
    wasOpen.current = status !== 'closed';
  }, [status, inputRef]);
  return (
    <SearchField
      label={label}
      placeholder={placeholder}
      value={query}
      onChange={model.words.set}
      onSearch={() => void model.search(query)}
      inputRef={inputRef}
    />
  );
}
