/**
 * Links to films on other servers: only over https, only from hosts that the operator names, only of names and standard
 * ports. The browsers of a room fetch what a link names; this server fetches nothing.
 */
import {
  addressOfLink,
  type CatalogueItem,
  cleanTitle,
  isMediaLink,
  type RoomKind,
  videoId,
  type VideoId,
} from '@tunemate/protocol';

export interface MediaLinks {
  /** Whether a room may play this: everything that is no link, and in video rooms links to an allowed host. */
  mayPlay(kind: RoomKind, id: VideoId): boolean;
  /** The films that a text links to; null where it links to none, or none could be played in such a room. */
  read(kind: RoomKind, text: string): { items: CatalogueItem[]; isRefused: boolean } | null;
  /** Whether such a room is given a link to an allowed host alone, which names no film that can be played. */
  isNoFilm(kind: RoomKind, text: string): boolean;
}

/** As many as of other links. */
const mostLinks = 10;

/** `hosts` is MEDIA_HOSTS. */
export function mediaLinks(hosts: readonly string[]): MediaLinks {
  const allowed = new Set(hosts);
  const isAllowed = (id: VideoId) => allowed.has(new URL(addressOfLink(id)).host);
  return {
    mayPlay: (kind, id) => !isMediaLink(id) || (kind === 'video' && isAllowed(id)),
    read(kind, text) {
      if (allowed.size === 0 || kind !== 'video') return null;
      const found = linksIn(text, allowed).flatMap((word) => readMediaLink(word) ?? []);
      const linked = [...new Set(found)].slice(0, mostLinks);
      if (linked.length === 0) return null;
      const items = linked.filter(isAllowed).map(itemOf);
      return { items, isRefused: items.length === 0 };
    },
    isNoFilm(kind, text) {
      const link = text.trim();
      if (kind !== 'video' || !/^https?:\/\/\S+$/iu.test(link) || !URL.canParse(link)) return false;
      return allowed.has(new URL(link).hostname.replace(/\.$/u, ''));
    },
  };
}

/** Names of files have blanks, and one link alone may have them, too. */
function linksIn(pasted: string, allowed: ReadonlySet<string>): string[] {
  // As pages, and keyboards for Chinese, write what a link is made of.
  const text = pasted.replaceAll('&amp;', '&').replaceAll(/https[:：][/／]{2}/giu, 'https://');
  const isOne = /^https:\/\/[^\r\n]+\.(?:mp4|m4v|webm|m3u8)(?:\?\S*)?$/iu.test(text) && text.split('://').length === 2;
  const words = text.split(/\s+/u).map((word) => linkOf(word, allowed));
  return isOne && words.length > 1 && readMediaLink(words[0] ?? '') === null ? [text] : words;
}

/** What a text glues to a link is not of it: `[Film](https://…)`, `<https://…|Film>`, `看：https://…。` */
function linkOf(word: string, allowed: ReadonlySet<string>): string {
  const at = word.search(/(?<![\w:/.@-])https:\/\//iu);
  // Bars of addresses leave `https` out.
  if (at < 0) return allowed.has(word.split('/', 1)[0]?.toLowerCase() ?? '') ? `https://${word}` : word;
  const link = word.slice(at);
  const inside = word[at - 1] === '<' ? (/^[^|>]+/u.exec(link)?.[0] ?? link) : link;
  return inside.replace(/(?<=\.(?:mp4|m4v|webm|m3u8))(?:&quot;|[^\p{L}\p{N}"'/?#&%._-]).*$/iu, '');
}

/** Browsers leave these as they stand. */
const unescaped = /[[\]|^`{}\\]/gu;

/** The id of a link, in the one spelling that its host has; null for anything else. */
function readMediaLink(word: string): VideoId | null {
  const text = word.replace(/^[<("'“]+|(?<![>)"'”,])[>)"'”,]+$/gu, '');
  if (!/^https:\/\//iu.test(text) || !URL.canParse(text)) return null;
  const { hostname, port, username, password, pathname, search } = new URL(text);
  if (port !== '' || username !== '' || password !== '') return null;
  const escaped = (pathname + search).replaceAll(unescaped, encodeURIComponent);
  return videoId.safeParse(`link:https://${hostname.replace(/\.$/u, '')}${escaped}`).data ?? null;
}

/** What it is like only a player knows, which reports the length. */
const itemOf = (id: VideoId): CatalogueItem => ({
  ...{ videoId: id, title: titleOfLink(id), thumbnail: null, durationSeconds: null, source: 'link' as const },
});

/** A film is named after its file. */
export function titleOfLink(id: VideoId): string {
  const { pathname, host } = new URL(addressOfLink(id));
  const file = decoded(pathname.split('/').at(-1) ?? '').replace(/\.\w+$/u, '');
  return cleanTitle(file, host);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
