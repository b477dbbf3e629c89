/**
 * Which tracks the lines of a playlist mean, and which lines name the tracks of a queue. A line is only compared with
 * what the library has: no path is opened and no address is fetched.
 */
import { basename, extname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { folded, type ListedTrack, parseVideoReferences, videoLink } from '@tunemate/domain';
import {
  addressOfLink,
  cleanLine,
  cleanTitle,
  isLibraryId,
  isMediaLink,
  limits,
  namedTrack,
  type NamedTrack,
  type RoomKind,
  trackOfPath,
  trackPath,
} from '@tunemate/protocol';
import { isShownIn, type LibraryItem, playedTitle } from '../library/library-item.ts';
import type { MediaLibrary } from '../library/media-library.ts';
import type { MediaLinks } from '../sources/links/media-links.ts';

export interface PlaylistSources {
  library: Pick<MediaLibrary, 'list' | 'byId'>;
  links: Pick<MediaLinks, 'read'>;
}

/** One line for each track. `origin` is this server's: a track of the library is named by its page. */
export function linesOf(
  tracks: readonly NamedTrack[],
  { library }: Pick<PlaylistSources, 'library'>,
  origin: string,
): ListedTrack[] {
  return tracks.map(({ videoId, title, durationSeconds: seconds, startSeconds }) => {
    if (isMediaLink(videoId)) return { place: addressOfLink(videoId), title, seconds };
    if (!isLibraryId(videoId)) {
      const link = videoLink({ video: videoId, playlist: null, ...(startSeconds !== undefined && { startSeconds }) });
      return { place: `https://${link}`, title, seconds };
    }
    const item = library.byId(videoId);
    const named = item === null ? title : [item.artist, item.title].filter((each) => each !== null).join(' - ');
    // Other players read whole seconds, and the library knows the rest.
    return { place: `${origin}${trackPath(videoId)}`, title: named, seconds: seconds && Math.round(seconds) };
  });
}

/** What to call a line that means no track. */
export const nameOfLine = ({ title, place }: ListedTrack): string => cleanTitle(title ?? segmentsOf(place).file, '?');

/** For each line its track, or null: what it names by an address, else by its path, else by artist and title. */
export async function tracksOfLines(
  lines: readonly ListedTrack[],
  kind: RoomKind,
  sources: PlaylistSources,
): Promise<(NamedTrack | null)[]> {
  const direct: (NamedTrack | null)[] = [];
  for (const [at, line] of lines.entries()) {
    if (at % linesAtOnce === linesAtOnce - 1) await setImmediate();
    direct.push(addressed(line, kind, sources));
  }
  const left = lines.filter((_, at) => direct[at] === null);
  const found = await matchesIn(sources.library.list(), left, kind);
  return lines.map((line, at) => direct[at] ?? trackOf(found.get(line)));
}

const trackOf = (item: LibraryItem | undefined): NamedTrack | null =>
  item === undefined
    ? null
    : fit({ videoId: item.id, title: playedTitle(item), durationSeconds: item.durationSeconds });

/** Null for what a queue can't hold. */
const fit = (track: unknown): NamedTrack | null => namedTrack.safeParse(track).data ?? null;

const isAddress = /^https?:\/\//iu;
const isVideoAddress = /^(?:https?:\/\/)?(?:[a-z]{1,10}\.)?(?:youtube(?:-nocookie)?\.com|youtu\.be)\//iu;

function addressed(line: ListedTrack, kind: RoomKind, { library, links }: PlaylistSources): NamedTrack | null {
  const { place, title, seconds } = line;
  const durationSeconds = seconds !== null && seconds <= limits.maxDurationSeconds ? seconds : null;
  if (isVideoAddress.test(place)) {
    const [link] = parseVideoReferences(place) ?? [];
    if (link?.video === null || link === undefined) return null;
    const { video: videoId, startSeconds } = link;
    const named = cleanTitle(title ?? '', videoId);
    return fit({ videoId, title: named, durationSeconds, ...(startSeconds !== undefined && { startSeconds }) });
  }
  if (!isAddress.test(place) || !URL.canParse(place)) return null;
  // Of whatever address this server has, or had: an id is the same wherever a file is at the same place.
  const id = trackOfPath(new URL(place).pathname);
  const item = id === null ? null : library.byId(id);
  if (item !== null && isShownIn[kind](item)) return trackOf(item);
  const film = links.read(kind, place)?.items[0];
  return film === undefined
    ? null
    : fit({ videoId: film.videoId, title: cleanTitle(title ?? '', film.title), durationSeconds });
}

// Lines of other players.

/** A path in its parts, as they are compared. */
interface Segments {
  folders: readonly string[];
  /** Without its extension: people convert their files. */
  file: string;
}

const alike = (text: string): string => cleanLine(text).toLowerCase();

/** Of a path with either kind of slash, or of an address. What leads upwards stays inside of the path. */
function segmentsOf(place: string): Segments {
  const parts: string[] = [];
  for (const part of place.replace(/^[a-z]{2,10}:\/{2,3}/iu, '').split(/[\\/]+/u)) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  const file = parts.pop() ?? '';
  return { folders: parts.map(alike), file: cleanLine(file.slice(0, file.length - extname(file).length)) };
}

/** Some players escape what they write, and some don't. */
function readings(place: string): Segments[] {
  const plain = segmentsOf(place);
  try {
    const unescaped = decodeURIComponent(place);
    return unescaped === place ? [plain] : [segmentsOf(unescaped), plain];
  } catch {
    return [plain];
  }
}

/** More dashes than a name has. */
const mostDashes = 4;
const number = /^\d{1,3}(?:[-.]\d{1,3})?(?:[\s._-]+|$)/u;

/** Of what is folded already: folding takes long, so that each part of a line is folded once. */
const pairKey = (artist: string, title: string): string => `${artist}\n${title}`;

/** 'Artist - Title', of which either may have a dash itself, and which some write the other way round. */
function pairsOf(text: string): string[] {
  const parts = text
    .split(/\s[-–—]\s/u)
    .slice(0, mostDashes + 1)
    .map(folded);
  return parts.slice(1).flatMap((_, at) => {
    const [before, behind] = [parts.slice(0, at + 1).join(' '), parts.slice(at + 1).join(' ')];
    return [pairKey(before, behind), pairKey(behind, before)];
  });
}

/** What a line may mean, the likeliest first. */
function pairsOfLine({ title }: ListedTrack, paths: readonly Segments[]): string[] {
  const names = paths.map(({ file, folders }) => {
    const named = file.replace(number, '');
    return { named, plain: folded(named), folders: folders.slice(-2).map(folded) };
  });
  const plainTitle = folded(title ?? '');
  const ofTitle = title === null ? [] : pairsOf(title);
  const ofBoth = title === null ? [] : names.flatMap(({ folders }) => folders.map((each) => pairKey(each, plainTitle)));
  const ofPaths = names.flatMap(({ named, plain, folders }) => [
    ...pairsOf(named),
    ...folders.map((folder) => pairKey(folder, plain)),
  ]);
  return [...new Set([...ofTitle, ...ofBoth, ...ofPaths])];
}

/** Items between which other work goes on: the names of 20,000 take a third of a second. */
const itemsAtOnce = 200;
const linesAtOnce = 5;
/** Of a name that very many files have, such as 'Track 01'. */
const comparedAtOnce = 5000;

const sum = (lists: readonly (readonly unknown[] | undefined)[]): number =>
  lists.reduce((total, list) => total + (list?.length ?? 0), 0);

interface Wanted {
  line: ListedTrack;
  paths: readonly Segments[];
  pairs: readonly string[];
}

/** An item that has the name of a wanted file, as lines are compared with it. */
interface Candidate {
  item: LibraryItem;
  folders: readonly string[];
  title: string;
}

async function matchesIn(
  items: readonly LibraryItem[],
  lines: readonly ListedTrack[],
  kind: RoomKind,
): Promise<Map<ListedTrack, LibraryItem>> {
  const found = new Map<ListedTrack, LibraryItem>();
  if (lines.length === 0) return found;
  const wanted: Wanted[] = [];
  for (const [at, line] of lines.entries()) {
    if (at % linesAtOnce === linesAtOnce - 1) await setImmediate();
    const paths = readings(line.place);
    wanted.push({ line, paths, pairs: pairsOfLine(line, paths) });
  }
  const byFile = new Map<string, Candidate[]>(
    wanted.flatMap(({ paths }) => paths.map(({ file }) => [alike(file), []])),
  );
  const byPair = new Map<string, LibraryItem[]>(wanted.flatMap(({ pairs }) => pairs.map((pair) => [pair, []])));
  const titles = new Set([...byPair.keys()].map((pair) => pair.slice(pair.indexOf('\n'))));
  for (const [at, item] of items.entries()) {
    if (at % itemsAtOnce === itemsAtOnce - 1) await setImmediate();
    if (!isShownIn[kind](item)) continue;
    const title = folded(item.title);
    byFile.get(fileOf(item))?.push({ item, folders: foldersOf(item), title });
    if (!titles.has(`\n${title}`)) continue;
    for (const artist of new Set([item.artist ?? '', ...item.artists])) {
      byPair.get(pairKey(folded(artist), title))?.push(item);
    }
  }
  let compared = 0;
  for (const each of wanted) {
    const match = byPath(each, byFile) ?? byName(each, byPair);
    if (match !== undefined) found.set(each.line, match);
    compared += sum([
      ...each.paths.map(({ file }) => byFile.get(alike(file))),
      ...each.pairs.map((key) => byPair.get(key)),
    ]);
    if (compared < comparedAtOnce) continue;
    compared = 0;
    await setImmediate();
  }
  return found;
}

/** Empty for a track of the music server, whose files have names that only it knows. */
const fileOf = ({ path }: LibraryItem): string => alike(basename(path, extname(path)));
const foldersOf = ({ folder }: LibraryItem): string[] => folder.split('/').filter(Boolean).map(alike);

/** How many folders above the file are the same. */
function commonFolders(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  for (let count = 0; count < most; count += 1) {
    if (one.at(-1 - count) !== other.at(-1 - count)) return count;
  }
  return most;
}

function byPath({ line, paths }: Wanted, byFile: ReadonlyMap<string, readonly Candidate[]>): LibraryItem | undefined {
  for (const { file, folders } of paths) {
    const { best, most } = nearest(file === '' ? [] : (byFile.get(alike(file)) ?? []), folders);
    if (best.length === 0) continue;
    const named = line.title === null ? null : folded(line.title);
    const said = best.find(({ title }) => named?.includes(title));
    // A name such as '01' is in many folders, and alone says nothing against what the list says of the track.
    const [only] = best.length === 1 && (most > 0 || named === null) ? best : [];
    const match = said ?? only;
    if (match !== undefined) return match.item;
  }
  return undefined;
}

/** Those with the most folders in common with the line, and how many. */
function nearest(candidates: readonly Candidate[], folders: readonly string[]) {
  let most = 0;
  let best: Candidate[] = [];
  for (const candidate of candidates) {
    const common = commonFolders(folders, candidate.folders);
    if (common > most) {
      most = common;
      best = [];
    }
    const isNear = common > 0 || folders.length === 0 || candidate.folders.length === 0;
    if (common === most && isNear) best.push(candidate);
  }
  return { best, most };
}

/** Of several recordings the one whose length is nearest. */
function byName({ line, pairs }: Wanted, byPair: ReadonlyMap<string, readonly LibraryItem[]>): LibraryItem | undefined {
  const candidates = pairs.map((pair) => byPair.get(pair) ?? []).find((items) => items.length > 0) ?? [];
  const { seconds } = line;
  const distance = ({ durationSeconds }: LibraryItem) =>
    seconds === null || durationSeconds === null ? Number.MAX_SAFE_INTEGER : Math.abs(durationSeconds - seconds);
  let nearestItem: LibraryItem | undefined;
  let least = Infinity;
  for (const item of candidates) {
    if (distance(item) >= least) continue;
    nearestItem = item;
    least = distance(item);
  }
  return nearestItem;
}
