/**
 * What makes artists and albums one: their names without what programs write differently, the discs of an album together,
 * and its releases apart. Pure.
 */
import { type LibraryItem, tracksOfDisc } from './library-item.ts';

type OfAlbum = Pick<LibraryItem, 'album' | 'folder'>;

/**
 * `Guns N’ Roses` and `Guns N' Roses`, `Jay-Z` and `Jay Z`, `A & B` and `A and B`, `The Owls` and `Owls, The` are one; accents
 * and signs that are no punctuation count.
 */
export function sameName(name: string): string {
  const small = name.normalize('NFKC').toLowerCase();
  const words = small
    .replaceAll(/['’‘ʼʻ`´′]/gu, '')
    .replaceAll(/\s[&+]\s/gu, ' and ')
    .replace(sortedByArticle, '$2 $1')
    .replaceAll(/[\p{P}\s]+/gu, ' ')
    .trim();
  return words === '' ? small : words;
}

const sortedByArticle = /^(.+),\s+(the|an?|die|der|das|les?|las?|los|el)$/u;
/** Who is only heard on some tracks: `Ines feat. Ben`. */
const guests = /\s+[([]?(?:feat(?:uring)?|ft)\b.*$/iu;
const numbered = String.raw`(?:cd|dis[ck]|disque|disco|dvd|lp|диск|ディスク)[\s_.#-]*(\d{1,2}|[a-f]|one|two|three|four)(?:of\d{1,2})?(?![\p{L}\d])`;
/** `CD1`, `Disc 2 - The Later Years`, `Long Record (CD 1)`; in a name only what stands apart from it. */
const discOfFolder = new RegExp(String.raw`(?:^|[\s([{\-–—_.,/])${numbered}[^/]*$`, 'iu');
const discOfName = new RegExp(String.raw`\s*(?:[([{]|\s[-–—]\s|[,:])\s*${numbered}[^)\]}]*[)\]}]?$`, 'iu');
const spelled = ['', 'one', 'two', 'three', 'four'];

/** What all discs of an album are called, and the number of this one; 0 where none is said. */
function wholeOf(called: string, disc: RegExp): { name: string; disc: number } {
  const found = disc.exec(called);
  const name = called.slice(0, found?.index).replace(/[\s/([{\-–—_.,]+$/u, '');
  if (found === null) return { name: called, disc: 0 };
  const said = (found[1] ?? '').toLowerCase();
  const number = Number(said) || Math.max(0, spelled.indexOf(said)) || Math.max(0, 'abcdef'.indexOf(said) + 1);
  return { name, disc: number };
}
const nameOf = (name: string): string => wholeOf(name, discOfName).name || name;

/** Where a track stands on its album; the disc is that of its name or folder where the tags say none. */
export function placeOnAlbum({ album, folder }: OfAlbum): number {
  const place = album?.place ?? 0;
  if (place >= tracksOfDisc || album === null) return place;
  return place + (wholeOf(album.name, discOfName).disc || wholeOf(folder, discOfFolder).disc) * tracksOfDisc;
}

/** Two albums of one name are distinguished by their artist, or by their folder when the tags name none. */
export function albumKeyOf({ album, folder }: OfAlbum): string {
  const artist = album?.artist ?? null;
  const by = artist === null ? wholeOf(folder, discOfFolder).name.toLowerCase() : sameName(artist.replace(guests, ''));
  return `${sameName(nameOf(album?.name ?? ''))}\n${by}`;
}

interface Album<T> {
  key: string;
  name: string;
  items: T[];
}

/** The albums of all items of one key. */
export const albumsUnder = <T extends OfAlbum>(key: string, members: readonly T[]): Album<T>[] =>
  [...releasesOf(members)].map(([release, own]) => ({
    key: key + release,
    name: nameOf(mostUsed(own.map(({ album }) => album?.name ?? ''))),
    items: own,
  }));

/** Where one place is taken twice, there are two releases: of two years, else of two folders. The first has no mark. */
function releasesOf<T extends OfAlbum>(members: readonly T[]): Map<string, T[]> {
  const places = members.map(placeOnAlbum).filter((place) => place % tracksOfDisc > 0);
  const marks = [
    ({ album }: T) => String(album?.year ?? ''),
    ({ folder }: T) => wholeOf(folder, discOfFolder).name.toLowerCase(),
  ];
  const differing = marks.find((mark) => new Set(members.map(mark)).size > 1);
  if (new Set(places).size === places.length || differing === undefined) return new Map([['', [...members]]]);
  const releases = [...Map.groupBy(members, differing)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return new Map(releases.map(([mark, own], at) => [at === 0 ? '' : `\n${mark}`, own]));
}

/** The spelling that most have; of several the first. */
export function mostUsed(names: readonly string[]): string {
  const count = new Map<string, number>();
  for (const name of names) count.set(name, (count.get(name) ?? 0) + 1);
  return [...count].reduce((best, each) => (each[1] > best[1] ? each : best), ['', 0])[0];
}
