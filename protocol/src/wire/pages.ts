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
  '/auth/action',
  '/account',
] as const;

export type PagePath = (typeof pagePaths)[number] | (typeof roomPagePaths)[RoomKind];
