/**
 * Recognises YouTube links and ids, playlists included, in whatever text they are pasted with, without a call to the
 * service. Pages and server read by this one, so that both take the same text for links.
 */
import { bare, isLibraryId, limits, plainWidth, type VideoId } from '@tunemate/protocol';

/** A link to a video, a playlist, or a video in a playlist, with the start time if it has one. */
export interface VideoReference {
  video: VideoId | null;
  playlist: string | null;
  startSeconds?: number;
}

const maxLinks = 10;

/**
 * The first ten references of a text; null when it holds none: then the text is a search. Words around links are
 * ignored. Ids alone count only where the text has nothing else, because words can look like one.
 */
export function parseVideoReferences(text: string): VideoReference[] | null {
  const found = referencesIn(text);
  if (found.length > 0) return found;
  // Unseen marks end a link as often as they stand within one.
  const meant = bare(plainWidth(text));
  const hidden = meant === text ? [] : referencesIn(meant);
  return hidden.length > 0 ? hidden : null;
}

/** A link and nothing else: its letters are no search words. */
export const isLinkAlone = (text: string): boolean =>
  /^\S{0,9}(?:https?:\/\/|\b(?:youtube\.com|youtu\.be)\/)\S+$/iu.test(text.trim());

function referencesIn(text: string): VideoReference[] {
  const links = linksIn(text).flatMap((link) => linkReference(link) ?? []);
  return (links.length > 0 ? links : bareIds(text)).slice(0, maxLinks);
}

/** How apps of phones name a video or an address to each other. */
const ofApp = /\b(?:(?:vnd\.)?youtube:(?:\/\/)?(?=[\w-]{11}(?![\w.-]))|intent:\/\/)/giu;
/** Filters of mail end a link that they carry with it. */
const behindCarried = /(?<=[\w-]{11})__$/u;

/** From the first of a run alone: from each of thousands it would take long. */
const marksBehind = /(?<![.:?])[.:?]+$/u;
// No link to a video needs any other character: brackets, quotes, commas and bullets end it.
const notInLinks = /[^\w./:?&=%#@+~-]+|(?=https?:\/\/)/iu;

/** Whatever of the text may be a link, without the marks that a sentence puts around it. */
function linksIn(text: string): string[] {
  return text
    .replaceAll('&amp;', '&')
    .replaceAll('#!/', '#/')
    .replaceAll(ofApp, (scheme) =>
      scheme.startsWith('i') || scheme.startsWith('I') ? 'https://' : 'https://youtu.be/',
    )
    .split(notInLinks)
    .map((word) =>
      word
        .replace(/^[^a-z\d]+/iu, '')
        .replace(marksBehind, '')
        .replace(behindCarried, ''),
    )
    .map((word) => (word.includes('/') ? word : decoded(word)))
    .filter((word) => word.includes('/'));
}

function bareIds(text: string): VideoReference[] {
  const words = text.split(/\s+/u).filter(Boolean);
  const references = words.map((word) => {
    const id = /^[\w-]{11}$/u.test(word) && looksLikeId(word) ? idIn(word) : null;
    return id && { video: id, playlist: null };
  });
  return references.every((reference) => reference !== null) ? references : [];
}

/**
 * A bare id has eleven characters, and so have words such as `Radioactive`. An id is recognised only by a mix of cases
 * that no word has: of a thousand real ids eight lack it, and those still work as links.
 */
const looksLikeId = (text: string): boolean => /[a-z]/.test(text) && /.[A-Z]/.test(text);

/** Words of links that stand where an id stands. */
const notIds = new Set(['live_stream', 'videoseries']);

/** The id at the beginning of a link's part, which may go on with what was glued to it. */
function idIn(part: string | null | undefined): VideoId | null {
  const [, id] = /^\s*([\w-]{11})(?![\w-])/u.exec(part ?? '') ?? [];
  return id !== undefined && !isLibraryId(id) && !notIds.has(id) ? (id as VideoId) : null;
}

/** YouTube, its pictures, and the other pages for its videos that people know. */
const hosts =
  /^(?:(?:(?:www|m|music|gaming|studio)\.)?(?:youtube(?:-nocookie|kids)?\.com|youtu\.be)|youtube\.googleapis\.com|(?:img\.youtube|i\d?\.ytimg)\.com|yewtu\.be|(?:piped|invidious|inv)\.[a-z\d.-]+)$/u;
const paths = /^\/(?:embed|shorts|live|vi?|vi_webp|e|watch|video|source)\/([^/]+)/u;

/**
 * More than carry each other. Each is read as it stands and unescaped, so that without a bound each further one would
 * double the work.
 */
const mostLooks = 30;

function linkReference(link: string, looks = { left: mostLooks }): VideoReference | null {
  if (looks.left === 0) return null;
  looks.left -= 1;
  const named = addressOf(link);
  const found = named && ((hosts.test(named.host) ? referenceOf(named) : null) ?? carriedReference(named, looks));
  // A link that was cut out of another one is still escaped.
  const plain = decoded(link);
  return found ?? (plain === link ? null : linkReference(plain, looks));
}

/** A web address in its parts. `host` is in lower case and without a stop at its end. */
interface Address {
  host: string;
  path: string;
  query: ReadonlyMap<string, string>;
  /** The parameters behind a `#`. */
  hash: ReadonlyMap<string, string>;
  /** The old pages for phones had their address behind a `#`. */
  behind: string | null;
}

// No library of addresses is at hand in this workspace, which knows neither a browser nor Node.
const address = /^(?:https?:\/\/)?(?:[^/?#@]*@)?([^/?#:@]+)(?::\d+)?(\/[^?#]*)?(?:\?([^#]*))?(?:#(.*))?$/iu;

function addressOf(link: string): Address | null {
  const [, host, path = '/', query = '', hash = ''] = address.exec(link) ?? [];
  if (host === undefined) return null;
  const behind = /^!?(\/.+)$/u.exec(hash)?.[1] ?? null;
  return {
    host: host.toLowerCase().replace(/\.$/u, ''),
    path,
    query: parameters(query),
    hash: parameters(hash),
    behind,
  };
}

/** The first value of each name. */
function parameters(query: string): ReadonlyMap<string, string> {
  const pairs = query.split('&').map((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=');
    return [name, decoded(value.join('='))];
  });
  return new Map(pairs.toReversed());
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Redirects, pages of consent and share buttons carry the link that is meant in a parameter, each by a name of its own. */
function carriedReference({ host, query }: Address, looks: { left: number }): VideoReference | null {
  for (const carried of query.values()) {
    const reference = !/[./]/u.test(carried)
      ? null
      : linkReference(carried.startsWith('/') ? host + carried : carried, looks);
    if (reference !== null) return reference;
  }
  return null;
}

/** Ids of public playlists. Mixes (RD…) are made for each viewer; 'Watch later' and 'Liked' are private. */
const playlistId = /^(?!RD|WL$|LL$)[\w-]{2,64}$/u;

function referenceOf(named: Address): VideoReference | null {
  const inner = named.behind === null ? null : addressOf(named.host + named.behind);
  const found = inner === null ? null : referenceOf({ ...inner, behind: null });
  if (found !== null) return found;
  const video = videoOf(named);
  const list = named.query.get('list')?.trim() ?? '';
  const playlist = playlistId.test(list) ? list : null;
  if (video === null && playlist === null) return null;
  const startSeconds = startOf(named);
  return { video, playlist, ...(startSeconds !== null && { startSeconds }) };
}

function videoOf({ host, path, query }: Address): VideoId | null {
  const plain = path.replaceAll(/\/{2,}/gu, '/');
  if (host.endsWith('youtu.be')) return idIn(plain.slice(1));
  return idIn(query.get('v')) ?? idIn(paths.exec(plain)?.[1]);
}

/** `t=1h2m3s`, `t=90s`, `t=1:30`, `start=90`, also after a `#`; null for 0 and for anything else. */
function startOf({ query, hash }: Address): number | null {
  const given = query.get('t') ?? query.get('start') ?? hash.get('t') ?? '';
  const inUnits = /^(?:(?<hours>\d+)h)?(?:(?<minutes>\d+)m)?(?:(?<seconds>\d+)s?)?$/u;
  const onClock = /^(?:(?<hours>\d+):)?(?<minutes>\d+):(?<seconds>\d{1,2})$/u;
  const { hours = 0, minutes = 0, seconds = 0 } = (inUnits.exec(given) ?? onClock.exec(given))?.groups ?? {};
  const startSeconds = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return startSeconds > 0 && startSeconds < limits.maxPositionSeconds ? startSeconds : null;
}

/** A link that names the same. */
export function videoLink({ video, playlist, startSeconds }: VideoReference): string {
  const query = [
    ...(playlist === null ? [] : [`list=${playlist}`]),
    ...(startSeconds === undefined ? [] : [`t=${String(startSeconds)}`]),
  ];
  const path = video === null ? 'youtube.com/playlist' : `youtu.be/${video}`;
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}
