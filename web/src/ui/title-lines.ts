/** The two lines of a track: what it is called, and by whom. */

const between = ' – ';

/** The title of a track of the library names its artists last; that of a video is one line. */
export function titleLines(id: string | undefined, title: string): { name: string; artist: string | null } {
  const at = id?.startsWith('lib_') === true ? title.lastIndexOf(between) : -1;
  if (at <= 0) return { name: title, artist: null };
  return { name: title.slice(0, at), artist: title.slice(at + between.length) };
}
