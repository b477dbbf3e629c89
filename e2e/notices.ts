/**
 * Notices end by themselves after a few seconds, and a busy machine may look at the page only after that. Each page keeps
 * what it has shown in its live regions, so a journey waits for what was seen, and not for what is.
 */
import { type BrowserContext, expect, type Page } from '@playwright/test';

/** Before the first page is opened. */
export const keepNotices = (context: BrowserContext): Promise<unknown> => context.addInitScript(keepShown);

/** Waits until the page has shown a notice with exactly these words, after the one that was waited for before. */
export async function sees(page: Page, words: string | RegExp): Promise<void> {
  await expect.poll(() => page.evaluate(takeShown, words), { message: `sees ${String(words)}` }).toBe(true);
}

declare global {
  interface Window {
    shownNotices?: string[];
  }
}

/** Runs in the page, before its own scripts. */
function keepShown(): void {
  const shown: string[] = [];
  window.shownNotices = shown;
  const wordsOf = new WeakMap<Element, string>();
  const look = (): void => {
    for (const region of document.querySelectorAll('output')) {
      for (const part of [region, ...region.children]) {
        const words = part.textContent.trim();
        if (words === (wordsOf.get(part) ?? '') || (words !== '' && !part.checkVisibility())) continue;
        wordsOf.set(part, words);
        if (words !== '') shown.push(words);
      }
    }
  };
  new MutationObserver(look).observe(document, { childList: true, characterData: true, subtree: true });
}

/** Runs in the page. */
function takeShown(words: string | RegExp): boolean {
  const shown = window.shownNotices ?? [];
  const at = shown.findIndex((one) => (typeof words === 'string' ? one === words : words.test(one)));
  shown.splice(0, at + 1);
  return at >= 0;
}
