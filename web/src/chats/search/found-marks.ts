/** Marks words in the log of a chat without a change to the page: rows of the log come and go as it scrolls. */
import { markedParts } from '@tunemate/domain';
import { useEffect } from 'react';

/** None are marked while `query` is empty. */
export function useMarks(query: string): void {
  useEffect(() => {
    const log = document.querySelector('[role=log]');
    if (query === '' || log === null || !('highlights' in CSS)) return undefined;
    const mark = (): void => {
      const [theirs, mine] = [new Highlight(), new Highlight()];
      for (const bubble of log.querySelectorAll('[data-number] > p[id] > span:first-child')) {
        const marks = bubble.closest('[data-mine]') === null ? theirs : mine;
        for (const range of rangesIn(bubble, query)) marks.add(range);
      }
      CSS.highlights.set('found', theirs);
      CSS.highlights.set('found-mine', mine);
    };
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(log, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      CSS.highlights.delete('found');
      CSS.highlights.delete('found-mine');
    };
  }, [query]);
}

function rangesIn(element: Element, query: string): Range[] {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const ranges: Range[] = [];
  while (texts.nextNode()) {
    const node = texts.currentNode;
    let from = 0;
    for (const { text, isFound } of markedParts(node.textContent ?? '', query)) {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, (from += text.length));
      if (isFound) ranges.push(range);
    }
  }
  return ranges;
}
