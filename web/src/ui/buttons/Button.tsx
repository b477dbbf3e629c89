/** The one text button. Decides looks and the busy state; the caller handles a press. */
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { buttonClass, type ButtonLook } from './button-look.ts';
import { Spinner } from './Spinner.tsx';

/** Native button attributes pass through; `type` is `button` by default. */
export interface ButtonProps extends ButtonLook, ButtonHTMLAttributes<HTMLButtonElement> {
  /** Shows the spinner before the label and ignores presses; focus stays where it is. */
  busy?: boolean | undefined;
  /** An icon before the label. */
  icon?: ReactNode;
  children: ReactNode;
}

/** A button 48 px high (44 when `small`). */
export function Button(props: ButtonProps) {
  const { variant, small, block, busy = false, icon, children, className, onClick, ...rest } = props;
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ variant, small, block }, className)}
      aria-busy={busy || undefined}
      onClick={(event) => {
        // preventDefault keeps a busy submit button from sending its form a second time.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}
