/** Lists as parameters of `in`, of few lengths: a statement of a new length would have to be prepared anew. */

/** The same items, the last one repeated up to the next power of two. */
export function padded<Item>(items: readonly Item[]): Item[] {
  const last = items.at(-1);
  if (last === undefined) return [];
  const length = 2 ** Math.ceil(Math.log2(items.length));
  return [...items, ...Array.from({ length: length - items.length }, () => last)];
}
