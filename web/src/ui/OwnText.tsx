/**
 * Keeps text the only child of its element, which `scripts/checks/bare-text.mjs` asks for: a page whose text nodes a
 * browser has translated breaks where React inserts or removes something beside one of them.
 */
import type { ReactElement, ReactNode } from 'react';

/** What stands beside something else: elements, never bare text. */
export type Elements = ReactElement | false | null | undefined | readonly Elements[];

/** Text in an element of its own; anything else as it is. */
export function OwnText({ children }: { children: ReactNode }): ReactNode {
  return typeof children === 'string' || typeof children === 'number' ? <span>{children}</span> : children;
}
