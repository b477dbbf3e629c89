/** The field for a new message. Enter sends it unless it is empty. */
import type { InputHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from '../class-names.ts';
import fieldStyles from '../fields/Field.module.css';
import { SendIcon } from '../icons/marks.tsx';
import { IconButton } from '../buttons/IconButton.tsx';
import styles from './Composer.module.css';

/** Native input attributes pass through, such as `inputMode="none"` under an on-screen keyboard. */
export interface ComposerProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  label: string;
  value: string;
  onChange: (text: string) => void;
  onSend: () => void;
  /** Buttons before the field. */
  lead?: ReactNode;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** An input and its send button. */
export function Composer({ label, value, onChange, onSend, lead, ...rest }: ComposerProps) {
  const isBlank = value.trim() === '';
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBlank) onSend();
      }}
    >
      {lead}
      <input
        type="text"
        autoComplete="off"
        enterKeyHint="send"
        placeholder={label}
        {...rest}
        aria-label={label}
        className={classNames(fieldStyles.input, styles.input)}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <IconButton type="submit" label="Send" icon={<SendIcon />} filled className={styles.send} />
    </form>
  );
}
