/** A 44 px square holding one icon. Its name is required, because an icon says nothing to a screen reader. */
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './IconButton.module.css';

/** `label` is the accessible name; `filled` prints it in the band ink (send), `framed` gives it an edge. */
interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  label: string;
  icon: ReactNode;
  filled?: boolean | undefined;
  framed?: boolean | undefined;
}

export function IconButton({ label, icon, filled, framed, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      className={classNames(styles.iconButton, filled && styles.filled, framed && styles.framed, className)}
    >
      {icon}
    </button>
  );
}
