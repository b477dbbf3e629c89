/**
 * Private messages that are half written, by the person they are for. In memory alone, so that nobody finds them on this
 * device later; what is on the screen when an update reloads the page is kept by `shell/typed-text`.
 */
import type { Uid } from '@tunemate/protocol';
import { cell, type Readable } from '../store/cell.ts';

export interface Drafts {
  readonly texts: Readable<ReadonlyMap<Uid, string>>;
  /** An empty text is no draft. */
  keep(uid: Uid, text: string): void;
}

export function createDrafts(): Drafts {
  const texts = cell<ReadonlyMap<Uid, string>>(new Map());
  return {
    texts,
    keep: (uid, text) =>
      texts.update((now) => {
        const next = new Map(now);
        if (text === '') next.delete(uid);
        else next.set(uid, text);
        return next;
      }),
  };
}
