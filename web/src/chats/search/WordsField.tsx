/** The field of a search of messages, in one chat or in all, with the key that ends the search. */
import type { Ref } from 'react';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { CloseIcon, SearchIcon } from '../../ui/icons/icons.tsx';
import { ownSheet } from '../../ui/own-sheet.ts';
import { t } from '../../language/t.ts';
import sheet from './WordsField.css?inline';
import { searchWords } from './found-messages.tsx';

const styles = ownSheet('words', sheet);

interface WordsFieldProps {
  /** Of the search, where its page does not say it. */
  label?: string;
  value: string;
  onChange: (words: string) => void;
  onEnter?: () => void;
  onEnd: () => void;
  ref: Ref<HTMLInputElement>;
}

export function WordsField({ label, value, onChange, onEnter, onEnd, ref }: WordsFieldProps) {
  return (
    <search className={styles.field} aria-label={label}>
      <SearchIcon size={20} />
      <TextField
        label={searchWords.field}
        hideLabel
        placeholder={searchWords.field}
        autoComplete="off"
        enterKeyHint="search"
        ref={ref}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') onEnter?.();
        }}
      />
      <IconButton label={t`End the search`} icon={<CloseIcon />} onClick={onEnd} />
    </search>
  );
}
