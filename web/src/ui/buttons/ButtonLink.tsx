/** A link that looks like a button: it goes somewhere, so it stays a link for keyboards and screen readers. */
import type { AnchorHTMLAttributes, ReactNode } from 'react';
import { Link } from 'wouter';
import { buttonClass, type ButtonLook } from './button-look.ts';

/** `href` is a path inside the app; it opens without reloading the page. */
export interface ButtonLinkProps extends ButtonLook, Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  href: string;
  /** An icon before the label. */
  icon?: ReactNode;
  /** An icon after the label. */
  endIcon?: ReactNode;
  children: ReactNode;
}

/** A link with the measures and inks of `Button`. */
export function ButtonLink(props: ButtonLinkProps) {
  const { variant, small, block, icon, endIcon, children, className, ...rest } = props;
  return (
    <Link {...rest} className={buttonClass({ variant, small, block }, className)}>
      {icon}
      {children}
      {endIcon}
    </Link>
  );
}
