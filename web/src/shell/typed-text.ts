/**
 * Unsent text, kept over one reload of the page: by the position of each field on the page.
 * Passwords are never kept.
 */
import type { LenientStorage } from '../store/lenient-storage.ts';

const key = 'tunemate/typed-text';
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
    place: `${field.localName} ${field.name || field.getAttribute('aria-label') || index}`,
    field,
  }));
}

/** Stores the contents of the page's text fields. */
export function keepTypedText(storage: LenientStorage, page: Document = document): void {
  const fields = fieldsOf(page).flatMap(({ place, field }) =>
    field.value === '' ? [] : [{ place, text: field.value }],
  );
  if (fields.length === 0) return;
  storage.setItem(key, JSON.stringify({ path: page.location.pathname, fields } satisfies Kept));
}

/** Restores stored text in the fields of the same address as they appear, once. */
export function restoreTypedText(storage: LenientStorage, page: Document = document): void {
  const kept = storage.getItem(key);
  storage.removeItem(key);
  if (kept === null) return;
  const { path, fields } = JSON.parse(kept) as Kept;
  if (path !== page.location.pathname) return;
  const missing = new Map(fields.map(({ place, text }) => [place, text]));

  const fill = (): void => {
    // Somebody went to another screen before the fields appeared: fields of the same name there are not these.
    if (path !== page.location.pathname) return;
    for (const { place, field } of fieldsOf(page)) {
      const text = missing.get(place);
      if (text === undefined || field.value !== '') continue;
      missing.delete(place);
      write(field, text);
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
