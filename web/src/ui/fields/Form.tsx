/** A form with even spacing that never reloads the page. */
import type { ReactNode } from 'react';
import styles from './Form.module.css';

export function Form({ onSubmit, label, children }: { onSubmit: () => void; label?: string; children: ReactNode }) {
  return (
    <form
      className={styles.form}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
