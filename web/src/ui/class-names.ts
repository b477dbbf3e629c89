/** Joins class names; falsy parts are left out. `classNames('a', busy && 'b')` -> `'a b'` or `'a'`. */
export function classNames(...parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(' ');
}
