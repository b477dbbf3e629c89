/** The addresses of the pages: the server answers them, the web application draws them. */
import type { RoomKind } from './room-kind.ts';

/** Rooms have a page of their own, which asks for the room's code at once. */
export const roomPagePaths = {
  video: '/tunemate/:code',
  audio: '/audio-room/:code',
} as const satisfies Record<RoomKind, string>;

export const pagePaths = [
  '/',
  '/login',
  '/signup',
  '/join',
  '/create',
  '/soulmate',
  '/notifications',
  '/chat/:uid',
  '/create-audio-room',
  '/join-audio-room',
  '/chats',
  '/chats/search',
  '/auth/action',
  '/account',
  '/share',
  '/library/:videoId',
  '/beside/:key',
  '/our-music/:uid',
  '/our-music/:uid/blend',
  '/our-music/:uid/year',
] as const;

export type PagePath = (typeof pagePaths)[number] | (typeof roomPagePaths)[RoomKind];

/** Every address that has a page of its own. */
export const allPagePaths: readonly PagePath[] = [...pagePaths, ...Object.values(roomPagePaths)];

/** Pages that take a code in their query: people write it as a part of the path, as with rooms. */
const codePaths: Readonly<Record<string, PagePath>> = {
  '/join/:code': '/join',
  '/join-audio-room/:code': '/join-audio-room',
};

/** What the queries of pages are called, by their small letters. */
const queryNames = new Map(
  ['code', 'next', 'mode', 'oobCode', 'invitation', 'message', 'title', 'text', 'url'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

/** A query with its names as they are spelled: keyboards begin with a capital. A name that is there already is no other. */
export function properQuery(query: string): string {
  const nameIn = (part: string): string => part.split('=', 1)[0]?.replace(/^amp;/iu, '') ?? '';
  const parts = query.split('&');
  const there = new Set(parts.map(nameIn));
  return parts
    .map((part) => {
      const proper = queryNames.get(nameIn(part).toLowerCase());
      return proper === undefined || there.has(proper) ? part : part.replace(nameIn(part), () => proper);
    })
    .join('&');
}

/**
 * Marks that a sentence or its markup puts behind an address, and slashes. Looked for from the first of a run alone: from
 * each of thousands it would take a second.
 */
const trailing = /(?<![^\p{L}\p{N}_-])[^\p{L}\p{N}_-]+$/u;

/**
 * The address of a page as it is spelled, for one with doubled slashes, large letters, or a slash, bracket or stop at its
 * end, or with a code in place of a query. `path` is without a query, unless its `?` is escaped, as links inside links
 * are. Null when no page is meant. What stands for a placeholder keeps its case.
 */
export function properPath(path: string): string | null {
  const [page = '', ...query] = unescaped(path).split('?');
  const parts = `/${page
    .replaceAll(/\/{2,}/gu, '/')
    .replace(trailing, '')
    .replace(/^\//u, '')}`.split('/');
  for (const pattern of [...allPagePaths, ...Object.keys(codePaths)]) {
    const wanted = pattern.split('/');
    const isMeant =
      wanted.length === parts.length &&
      wanted.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]?.toLowerCase()));
    if (!isMeant) continue;
    const proper = wanted
      .map((part, at) => (part.startsWith(':') ? encodeURIComponent(parts[at] ?? '') : part))
      .join('/');
    const page = codePaths[pattern];
    if (page !== undefined) return `${page}?code=${encodeURIComponent(parts.at(-1) ?? '')}`;
    return query.length === 0 ? proper : `${proper}?${encodeURI(query.join('?')).replaceAll('#', '%23')}`;
  }
  return null;
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
