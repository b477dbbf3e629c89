/**
 * All music and films that the sources list, in memory, and searched by words. It knows nothing of rooms; who may read a
 * file is decided where files are served.
 */
import { limits } from '@tunemate/protocol';
import { type FolderDeps, type MediaFolder, openFolder } from '../sources/files/folder.ts';
import type { Source } from '../sources/source.ts';
import type { KeptList } from './kept-list.ts';
import type { LibraryItem } from './library-item.ts';
import { foundIn, nothingSearched, searchedList, type SearchedList } from './relevance.ts';

export interface MediaLibrary extends Omit<MediaFolder, 'source'> {
  /** Of each source in its order. */
  list(): readonly LibraryItem[];
  byId(id: string): LibraryItem | null;
  /** Items whose title, artists, album, genres, folder and file name contain every word, best first. A blank query finds nothing. */
  search(query: string, limit?: number): Promise<LibraryItem[]>;
  /** The first two audio tracks: what a failed search shows. */
  samples(): LibraryItem[];
  /** False while the list of a source is still coming: it may lack what there is. */
  isListed(): boolean;
  /** The folder first. */
  sources(): readonly [Source, ...Source[]];
  sourceOf(item: LibraryItem): Source;
  /** Lists the items of a source behind those of the others. */
  add(source: Source): void;
  /** A person looks at the library: sources whose lists are old read them again. */
  look(): void;
}

/** Opens the folder. Throws when it can't be read at all. */
export async function openMediaLibrary(deps: FolderDeps): Promise<MediaLibrary> {
  const lists: Source['list'][] = [];
  const list = joined(lists);
  const searched = searchedKept(list);
  const { source: ofFolder, ...folder } = await openFolder({ ...deps, changed: () => void searched() });
  const sources: [Source, ...Source[]] = [ofFolder];
  lists.push(ofFolder.list);
  void searched();
  return {
    ...{ ...folder, list, sources: () => sources },
    byId(id) {
      for (const of of lists) {
        const item = of().byId(id);
        if (item !== null) return item;
      }
      return null;
    },
    sourceOf: ({ at }) => sources.find(({ name }) => name === at?.source) ?? ofFolder,
    add(source) {
      sources.push(source);
      lists.push(source.list);
    },
    look: () => sources.forEach((source) => source.look()),
    isListed: () => sources.every((source) => source.isListed()),
    search: async (query, limit = limits.searchResults) => await foundIn(await searched(), query, limit),
    samples: () =>
      list()
        .filter(({ kind }) => kind === 'audio')
        .slice(0, 2),
  };
}

/** The items of all lists, made again once one of them is another. */
function joined(lists: readonly Source['list'][]): () => readonly LibraryItem[] {
  let made: { of: readonly KeptList[]; items: readonly LibraryItem[] } = { of: [], items: [] };
  return () => {
    const of = lists.map((list) => list());
    const isSame = of.length === made.of.length && of.every((list, at) => list === made.of[at]);
    if (!isSame) made = { of, items: of.length === 1 ? (of[0]?.items ?? []) : of.flatMap(({ items }) => items) };
    return made.items;
  };
}

/** What is searched of the list, made once for each and in the background. */
function searchedKept(list: () => readonly LibraryItem[]): () => Promise<SearchedList> {
  let made = nothingSearched;
  let making: Promise<SearchedList> | null = null;
  const make = async (): Promise<SearchedList> => {
    try {
      return (made = await searchedList(list(), made));
    } finally {
      making = null;
    }
  };
  return async () => {
    // It may be of an earlier list.
    if (made.items !== list()) await making;
    if (made.items !== list()) await (making ??= make());
    return made;
  };
}
