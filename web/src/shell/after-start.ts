/** What a page does for itself once it stands. No part of the entry, whose weight every visitor waits for. */
import type { StartedApp } from '../app.ts';
import { regainFocus, watchFocus } from '../ui/lost-focus.ts';
import styles from '../ui/VisuallyHidden.module.css';
import { healLostParts } from './lost-part.ts';
import { retryLostParts } from '../store/lost-parts.ts';

export function afterStart(app: StartedApp): void {
  healLostParts(app);
  // What failed before this was loaded.
  retryLostParts();
  // Extensions change a page that stands already.
  tolerateMovedNodes();
  watchKeyboard();
  keepHeard();
}

/** A component that knows a better place than the heading gives the focus to that in the meantime. */
const patienceMs = 100;
/** Screen readers miss words that come together with their region. */
const beforeWordsMs = 200;
const lastsMs = 5000;

const region = 'output, [role=status]';
const live = `${region}, [role=alert], [role=log], [aria-live]`;

/**
 * What a page does for people who hear it or use it by keys, in one place instead of in each component: the focus returns
 * when its element goes, and a live region that comes with its words is announced.
 */
export function keepHeard(): void {
  watchFocus();
  let askedAtMs = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof Element) announceIn(node);
    const nowMs = performance.now();
    if (nowMs - askedAtMs < patienceMs) return;
    askedAtMs = nowMs;
    setTimeout(regainFocus, patienceMs);
  }).observe(document, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden'] });
}

function announceIn(added: Element): void {
  for (const one of added.matches(region) ? [added] : added.querySelectorAll(region)) {
    // Most regions come empty: to look at the words of one that is drawn costs a layout.
    if (one.textContent.trim() === '' || one.ariaLive === 'off' || one.parentElement?.closest(live)) continue;
    if (one.checkVisibility() && wordsOf(one) !== '') announce(one);
  }
}

const wordsOf = (one: Element): string => (one as HTMLElement).innerText.trim();

/**
 * Some screen readers do announce the region itself: it is silent meanwhile, and not for what changes later. What is said
 * stands in no part of the page that is read, searched or translated.
 */
function announce(one: Element): void {
  const place = document.createElement('div');
  place.className = styles.hidden ?? '';
  const spoken = document.createElement('output');
  place.attachShadow({ mode: 'closed' }).append(spoken);
  // The page behind an open dialog is silent.
  (one.closest('dialog') ?? document.body).append(place);
  one.setAttribute('aria-live', 'off');
  setTimeout(() => {
    // Of a load that is over by then nothing is said.
    if (one.isConnected) spoken.textContent = wordsOf(one);
    one.removeAttribute('aria-live');
  }, beforeWordsMs);
  setTimeout(() => place.remove(), lastsMs);
}

/**
 * How much of the page the system's on-screen keyboard covers, as `--keyboard`. Only iPhones and iPads draw it over the
 * page; other browsers make the page lower (`interactive-widget` in index.html), and then nothing is covered.
 */
export function watchKeyboard(): void {
  const { visualViewport } = window;
  visualViewport?.addEventListener('resize', () => {
    // Zooming in with two fingers makes the visible part smaller, too.
    const coveredPx = visualViewport.scale === 1 ? Math.max(0, innerHeight - visualViewport.height) : 0;
    document.documentElement.style.setProperty('--keyboard', `${String(coveredPx)}px`);
  });
}

/**
 * Extensions put boxes around pictures and fields of a page. React then finds them in another place than where it left
 * them, and the whole page breaks at its next change: facebook/react#11538. What was moved is found in its box instead.
 */

/** The part of `parent` that holds `node`, or null where it holds it no longer. */
function holderIn(parent: Node, node: Node | null): Node | null {
  for (let at = node; at !== null; at = at.parentNode) if (at.parentNode === parent) return at;
  return null;
}

/** For all of this page; called once, before it is drawn. */
export function tolerateMovedNodes(): void {
  const { prototype } = Node;
  const { insertBefore, removeChild } = prototype;
  prototype.removeChild = function remove<T extends Node>(this: Node, child: T): T {
    const parent = child.parentNode;
    return parent === null ? child : (removeChild.call(parent, child) as T);
  };
  prototype.insertBefore = function insert<T extends Node>(this: Node, added: T, before: Node | null): T {
    return insertBefore.call(this, added, holderIn(this, before)) as T;
  };
}
