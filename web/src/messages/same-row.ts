/**
 * For `memo` of the rows of a chat. A change of one message makes the items of all rows anew, and nearly all of them say
 * the same as before: a phone then draws one row instead of a hundred.
 */

/** Whether two rows show the same: what the item holds is compared, of all else only the identity. */
export function isSameRow<Name extends string, Props extends Readonly<Record<Name, object>>>(item: Name) {
  return (before: Props, after: Props): boolean =>
    hasSame(before, after, (one, other, name) => (name === item ? isEqual(one, other) : Object.is(one, other)));
}

function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  return isObject(one) && isObject(other) && hasSame(one, other, isEqual);
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function hasSame(one: Fields, other: Fields, isSame: (one: unknown, other: unknown, name: string) => boolean): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => name in other && isSame(one[name], other[name], name))
  );
}
