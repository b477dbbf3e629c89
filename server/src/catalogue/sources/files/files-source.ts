/**
 * Files of a folder of this machine as a source: they are sent as they are, and what belongs to them is in them or lies
 * beside them.
 */
import { stat } from 'node:fs/promises';
import { accept, refuse } from '../../../system/ports.ts';
import { readPicture } from '../../library/album-pictures.ts';
import { keptList } from '../../library/kept-list.ts';
import type { LibraryItem } from '../../library/library-item.ts';
import { lyricsReader } from '../../library/lyrics.ts';
import { embeddedCover } from '../../library/tags.ts';
import { isFolderAway, leadsNowhereElse, openStill, whileThere } from '../../media/still-there.ts';
import { noTaste, type Playlist, type Source } from '../source.ts';

const noItems = keptList([]);
const noPlaylists: readonly Playlist[] = [];
const noCopies: Source['copies'] = { of: () => null, forget: () => undefined };

/** By default none are listed, and none are copied. */
export function filesSource({
  list = () => noItems,
  isListed = () => true,
  copies = noCopies,
}: Partial<Pick<Source, 'list' | 'isListed' | 'copies'>> = {}): Source {
  return {
    ...{ name: 'files', list, isListed, copies },
    server: () => null,
    look: () => undefined,
    async open({ path, mime }) {
      const file = await openStill(path);
      if (file !== null) return accept({ file, path, mime });
      // Players try again what is away, and skip what is gone.
      return refuse((await isFolderAway(path)) ? 'server/unavailable' : 'access/not-found');
    },
    fileOf: ({ path }) => whileThere(path, () => Promise.resolve(path)),
    cover: coverOfFile,
    lyrics: lyricsReader(),
    taste: noTaste,
    playlists: () => Promise.resolve(noPlaylists),
    close: () => undefined,
  };
}

export const coverOfFile: Source['cover'] = async ({ cover, path }) => {
  if (cover.in === 'nowhere' || cover.in === 'source') return null;
  const version = await versionOf(cover.in === 'media' ? path : cover.path);
  const read = () => (cover.in === 'media' ? pictureInside(path) : readPicture(cover.path));
  return version === null ? null : { version, read };
};

/** Null where there is no file any more, or a link in its place. */
async function versionOf(path: string): Promise<string | null> {
  if (!(await leadsNowhereElse(path))) return null;
  const found = await stat(path).catch(() => null);
  return found && `${path}\n${String(found.size)}\n${String(found.mtimeMs)}`;
}

async function pictureInside(path: LibraryItem['path']): Promise<{ bytes: Buffer; mime: string } | null> {
  const picture = await embeddedCover(path);
  return picture && { bytes: Buffer.from(picture.data), mime: picture.format };
}
