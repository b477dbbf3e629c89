/** The text button, and the link that looks like it. */
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from '../Link.tsx';
import { classNames } from '../class-names.ts';
import styles from './Button.module.css';
import { OwnText, type Elements } from '../OwnText.tsx';

/** Native button attributes pass through; `type` is `button` by default. */
interface ButtonProps extends ButtonLook, ButtonHTMLAttributes<HTMLButtonElement> {
  /** Shows the spinner before the label and ignores presses; focus stays where it is. */
  busy?: boolean | undefined;
  icon?: Elements;
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
      <OwnText>{children}</OwnText>
    </button>
  );
}

/** `href` is a path inside the app; it opens without reloading the page. */
interface ButtonLinkProps extends ButtonLook, Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  href: string;
  icon?: Elements;
  endIcon?: Elements;
  children: ReactNode;
}

export function ButtonLink(props: ButtonLinkProps) {
  const { variant, small, block, icon, endIcon, children, className, ...rest } = props;
  return (
    <Link {...rest} className={buttonClass({ variant, small, block }, className)}>
      {icon}
      <OwnText>{children}</OwnText>
      {endIcon}
    </Link>
  );
}

/** `primary` has the band ink; `ink` and `inkLine` go on coloured covers; `dangerFill` only ends a confirm. */
type ButtonVariant = 'primary' | 'quiet' | 'ghost' | 'danger' | 'dangerFill' | 'ink' | 'inkLine';

interface ButtonLook {
  /** `quiet` by default. */
  variant?: ButtonVariant | undefined;
  /** 44 px high, for rows. */
  small?: boolean | undefined;
  block?: boolean | undefined;
}

function buttonClass({ variant = 'quiet', small, block }: ButtonLook, extra?: string): string {
  return classNames(styles.button, styles[variant], small && styles.small, block && styles.block, extra);
}

/** A 20 px turning ring in the current text colour. Decorative, so never without words. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}
