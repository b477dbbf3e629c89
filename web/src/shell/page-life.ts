/**
 * The life of this page: hidden for good or restored, woken up, or reloaded because the server is newer. A reload keeps
 * the text that was typed and not sent.
 */
import type { Unsubscribe } from '../store/cell.ts';
import type { LenientStorage } from '../store/lenient-storage.ts';

const tickMs = 5000;
/**
 * A timer this late means that the device slept; busy pages and throttled tabs stay well below. A shorter sleep is noticed
 * when the page becomes visible, or by the heartbeat of the link.
 */
const sleptMs = 90_000;

interface PageLife {
  readonly onGone: () => void;
  /** Hidden: on a phone it may be closed from here without another event. */
  readonly onHidden: () => void;
  /** Back from the browser's page cache after onGone. */
  readonly onBack: () => void;
  /** The connection may have been lost, or reconnecting may succeed now. */
  readonly onWake: () => void;
}

/** Watches the page until the answer is called. */
export function watchPage(window: Window, life: PageLife): Unsubscribe {
  const stopping = new AbortController();
  const { signal } = stopping;
  let lastTickMs = Date.now();

  window.addEventListener('pagehide', () => life.onGone(), { signal });
  window.addEventListener('pageshow', (event) => event.persisted && life.onBack(), { signal });
  window.addEventListener('online', () => life.onWake(), { signal });
  window.addEventListener('offline', () => life.onWake(), { signal });
  window.document.addEventListener(
    'visibilitychange',
    () => (window.document.visibilityState === 'visible' ? life.onWake() : life.onHidden()),
    { signal },
  );
  const ticking = setInterval(() => {
    const nowMs = Date.now();
    if (nowMs - lastTickMs > tickMs + sleptMs) life.onWake();
    lastTickMs = nowMs;
  }, tickMs);
  signal.addEventListener('abort', () => clearInterval(ticking));

  return () => stopping.abort();
}

const reloadKey = 'tunemate/reloaded-at';
/** After this time another reload is allowed. */
const onceInMs = 10 * 60 * 1000;

interface ReloadParts {
  readonly page: Pick<Location, 'reload'>;
  /** Stores typed text. */
  readonly keep: () => void;
  readonly nowMs: number;
}

/**
 * Reloads once, because a server that is still being replaced must not cause a loop. False when this tab has just been
 * reloaded for the same reason.
 */
export function reloadOnce(storage: LenientStorage, { page, keep, nowMs }: ReloadParts): boolean {
  const lastMs = Number(storage.getItem(reloadKey) ?? 'NaN');
  if (nowMs - lastMs < onceInMs) return false;
  storage.setItem(reloadKey, String(nowMs));
  keep();
  page.reload();
  return true;
}

const textKey = 'tunemate/typed-text';
/** Screens are mounted in parts; fields that appear later than this are not restored. */
const waitMs = 10_000;

type TextField = HTMLInputElement | HTMLTextAreaElement;

interface Kept {
  readonly path: string;
  readonly fields: readonly { readonly place: string; readonly text: string }[];
}

const selector = 'textarea, input[type="text"], input[type="email"], input[type="search"]';

function fieldsOf(page: ParentNode): { place: string; field: TextField }[] {
  return Array.from(page.querySelectorAll<TextField>(selector), (field, index) => ({
    place: field.name || (field.getAttribute('aria-label') ?? String(index)),
    field,
  }));
}

/** Stores the contents of the page's text fields, by their position. Passwords are never kept. */
export function keepTypedText(storage: LenientStorage, page: Document = document): void {
  const fields = fieldsOf(page).flatMap(({ place, field }) =>
    field.value === '' ? [] : [{ place, text: field.value }],
  );
  if (fields.length === 0) return;
  storage.setItem(textKey, JSON.stringify({ path: page.location.pathname, fields } satisfies Kept));
}

/** Restores stored text in the fields of the same address as they appear, once. */
export function restoreTypedText(storage: LenientStorage, page: Document = document): void {
  const kept = storage.getItem(textKey);
  storage.removeItem(textKey);
  if (kept === null) return;
  const { path, fields } = JSON.parse(kept) as Kept;
  if (path !== page.location.pathname) return;
  // Before version 0.2.0 a place began with the name of its element, which an update may change.
  const missing = new Map(fields.map(({ place, text }) => [place.replace(/^(?:input|textarea) /, ''), text]));

  const fill = (): void => {
    // After a change of screen, fields of the same name are not these.
    if (path !== page.location.pathname) return;
    for (const { place, field } of fieldsOf(page)) {
      const text = missing.get(place);
      if (text === undefined) continue;
      missing.delete(place);
      // A field that has text has it from a draft that the device kept: once that is sent, it must not come back.
      if (field.value === '') write(field, text);
    }
    if (missing.size === 0) watching.disconnect();
  };
  const watching = new MutationObserver(fill);
  watching.observe(page.body, { childList: true, subtree: true });
  setTimeout(() => watching.disconnect(), waitMs);
  fill();
}

/** Sets the value as if it were typed: React listens to the event and needs the element's native setter. */
function write(field: TextField, text: string): void {
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
