/** A search input, as one search landmark; Enter searches. */
import { useId, type Ref } from 'react';
import { SearchIcon } from '../icons/icons.tsx';
import { classNames } from '../class-names.ts';
import { Field, fieldDirection } from './Field.tsx';
import styles from './Field.module.css';

interface SearchFieldProps {
  /** Hidden label, such as `Search videos`. */
  label: string;
  placeholder?: string | undefined;
  value: string;
  onChange: (query: string) => void;
  onSearch: () => void;
  inputRef?: Ref<HTMLInputElement> | undefined;
}

export function SearchField(props: SearchFieldProps) {
  const { label, placeholder, value, onChange, onSearch, inputRef } = props;
  const id = useId();
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch();
        }}
      >
        <Field id={id} label={label} hideLabel>
          {(wiring) => (
            <div className={styles.wrap}>
              <span className={styles.lead}>
                <SearchIcon />
              </span>
              <input
                {...wiring}
                ref={inputRef}
                type="search"
                dir={fieldDirection(value)}
                className={classNames(styles.input, styles.withLead)}
                placeholder={placeholder}
                value={value}
                onChange={(event) => onChange(event.target.value)}
                enterKeyHint="search"
                autoComplete="off"
              />
            </div>
          )}
        </Field>
      </form>
    </search>
  );
}
