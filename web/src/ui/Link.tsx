/** Links and redirects to paths of the app, which open without loading the page again. */
import { type AnchorHTMLAttributes, useLayoutEffect } from 'react';
import { navigate } from '../store/address.ts';

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
}

/** A press with a modifier or another key of the mouse is the browser's: a new tab, a window, a download. */
export function Link({ href, onClick, children, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        const { ctrlKey, metaKey, altKey, shiftKey, button } = event;
        if (ctrlKey || metaKey || altKey || shiftKey || button !== 0 || rest.target !== undefined) return;
        onClick?.(event);
        if (event.defaultPrevented) return;
        event.preventDefault();
        navigate(href);
      }}
    >
      {children}
    </a>
  );
}

/** Takes the place of the current entry of the browser's history. */
export function Redirect({ to }: { to: string }) {
  useLayoutEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}
