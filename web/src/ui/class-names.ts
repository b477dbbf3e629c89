/** Joins class names; falsy parts vanish. Kept apart so every component reads the same way. */

/** `classNames('a', busy && 'b')` -> `'a b'` or `'a'`. */
export function classNames(...parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(' ');
}
