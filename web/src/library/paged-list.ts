/** A long list of which only some pages are here. Pure. */

export interface PagedList<Item> {
  /** Null until the first page has come. */
  readonly total: number | null;
  /** By the number of the page, from 0. */
  readonly pages: ReadonlyMap<number, readonly Item[]>;
}

export const emptyList: PagedList<never> = { total: null, pages: new Map() };

/** The page on which the entry stands. */
export const pageOf = (index: number, size: number): number => Math.floor(index / size);

/** Null while its page is not here. */
export function entryAt<Item>({ pages }: PagedList<Item>, index: number, size: number): Item | null {
  return pages.get(pageOf(index, size))?.[index % size] ?? null;
}

/** A list that has changed on the server meanwhile starts again with the page that told. */
export function withPage<Item>(
  list: PagedList<Item>,
  page: number,
  { total, items }: { total: number; items: readonly Item[] },
): PagedList<Item> {
  const known = list.total === null || list.total === total ? list.pages : [];
  return { total, pages: new Map([...known, [page, items]]) };
}
