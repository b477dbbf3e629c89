/**
 * Names the page in the tab and for screen readers, with how many notifications and messages are unread and how many people
 * ask to join: '(3) Chats · Tunemate'.
 */
import { useEffect } from 'react';
import { t } from '../language/t.ts';

let routeTitle = '';
let screenTitle = '';
let unread = 0;
let waiting = 0;

function show(): void {
  const title = screenTitle || routeTitle;
  const name = title === '' ? 'Tunemate' : t`${title} · Tunemate`;
  const count = unread + waiting;
  document.title = count > 0 ? `(${count}) ${name}` : name;
}

/** The title of an address, for as long as its screen has none of its own. */
export function useRouteTitle(title: string): void {
  useEffect(() => {
    routeTitle = title;
    show();
  }, [title]);
}

/** Sets the title to 'Chats · Tunemate' while the caller is mounted; null sets none. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    if (title === null) return undefined;
    screenTitle = title;
    show();
    return () => {
      if (screenTitle !== title) return;
      screenTitle = '';
      show();
    };
  }, [title]);
}

/** The number before the title while the caller is mounted; none at zero. */
export function useUnreadInTitle(count: number): void {
  useEffect(() => {
    unread = count;
    show();
    return () => {
      unread = 0;
      show();
    };
  }, [count]);
}

/** People who ask to join the user's room, counted with what is unread while the caller is mounted. */
export function useWaitingInTitle(count: number): void {
  useEffect(() => {
    waiting = count;
    show();
    return () => {
      waiting = 0;
      show();
    };
  }, [count]);
}
