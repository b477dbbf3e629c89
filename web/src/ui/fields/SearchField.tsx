/** A search input with its button, as one search landmark. */
import { useId, type Ref } from 'react';
import { SearchIcon } from '../icons/icons.tsx';
import { Button } from '../buttons/Button.tsx';
import { classNames } from '../class-names.ts';
import { Field, fieldDirection } from './Field.tsx';
import styles from './Field.module.css';

/** `onSearch` runs on Enter and on the button. */
interface SearchFieldProps {
  /** Hidden label, such as `Search videos`. */
  label: string;
  placeholder?: string | undefined;
  action: string;
  value: string;
  onChange: (query: string) => void;
  onSearch: () => void;
  busy?: boolean | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
}

export function SearchField(props: SearchFieldProps) {
  const { label, placeholder, action, value, onChange, onSearch, busy, inputRef } = props;
  const id = useId();
  return (
    <search>
      <form
        className={styles.search}
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
        <Button type="submit" busy={busy}>
          {action}
        </Button>
      </form>
    </search>
  );
}
