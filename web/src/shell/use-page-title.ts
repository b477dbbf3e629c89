/**
 * Names the page in the tab and for screen readers, with how many notifications are unread: '(3) Chats · Tunemate'.
 */
import { useEffect, useLayoutEffect } from 'react';

let pageTitle = '';
let unread = 0;

function show(): void {
  const name = pageTitle === '' ? 'Tunemate' : `${pageTitle} · Tunemate`;
  document.title = unread > 0 ? `(${unread}) ${name}` : name;
}

function rename(title: string): void {
  pageTitle = title;
  show();
}

/** The title of an address, until its screen sets its own: before the screen's, as layout effects come before others. */
export function useRouteTitle(title: string): void {
  useLayoutEffect(() => rename(title), [title]);
}

/** Sets the title to 'Chats · Tunemate' while the caller is mounted, then restores the title before it; null sets none. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    if (title === null) return undefined;
    const before = pageTitle;
    rename(title);
    return () => {
      // Another address has its own title.
      if (pageTitle === title) rename(before);
    };
  }, [title]);
}

/** The number before the title; none at zero. */
export function useUnreadInTitle(count: number): void {
  useEffect(() => {
    unread = count;
    show();
  }, [count]);
}
