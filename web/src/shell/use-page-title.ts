/**
 * Names the page in the tab and for screen readers, with how many notifications are unread: '(3) Chats · Tunemate'.
 */
import { useEffect } from 'react';

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

/** Sets the title to 'Chats · Tunemate' while the caller is mounted, then restores the title before it. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    const before = pageTitle;
    rename(title);
    return () => rename(before);
  }, [title]);
}

/** The number before the title; none at zero. */
export function useUnreadInTitle(count: number): void {
  useEffect(() => {
    unread = count;
    show();
  }, [count]);
}
