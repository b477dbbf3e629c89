/**
 * What a page does for people who hear it or use it by keys, in one place instead of in each component: the focus returns
 * when its element goes, and a live region that comes with its words is announced.
 */
import { regainFocus, watchFocus } from '../ui/lost-focus.ts';
import styles from '../ui/VisuallyHidden.module.css';

/** A component that knows a better place than the heading gives the focus to that in the meantime. */
const patienceMs = 100;
/** Screen readers miss words that come together with their region. */
const beforeWordsMs = 200;
const lastsMs = 5000;

const region = 'output, [role=status]';
const live = `${region}, [role=alert], [role=log], [aria-live]`;

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
    if (one.ariaLive === 'off' || one.parentElement?.closest(live) || !one.checkVisibility()) continue;
    if (wordsOf(one) !== '') announce(one);
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
