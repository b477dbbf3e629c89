/** Names the page in the tab and for screen readers. */
import { useEffect } from 'react';

/** 'Chats · Tunemate'. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Tunemate`;
  }, [title]);
}
