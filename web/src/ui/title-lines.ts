/** The two lines of a track: what it is called, and by whom. */

import { t } from '../language/t.ts';

const between = ' – ';

/**
 * The title of a track of the library names its artists last; that of a video is one line. A video whose title is not
 * known yet has its id in the title's place, and is named by its link.
 */
export function titleLines(id: string | undefined, title: string): { name: string; artist: string | null } {
  if (id === title) return { name: t`A video of YouTube`, artist: `youtu.be/${id}` };
  const at = id?.startsWith('lib_') === true ? title.lastIndexOf(between) : -1;
  if (at <= 0) return { name: title, artist: null };
  return { name: title.slice(0, at), artist: title.slice(at + between.length) };
}
