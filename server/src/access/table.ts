/**
 * The one table of who may do what: every HTTP route and every socket request, with its row of docs/access.md.
 * A handler that is not in it can't be registered, and a row without a handler fails the boot test (BOOT-1).
 */
import type { RequestName, RouteName } from '@tunemate/protocol';

/** Whose session it takes: nobody's, anyone's, or that of someone with a verified address. */
export type SessionNeed = 'none' | 'session' | 'verified';
/** What the caller must be to the room named in the payload; services check it inside their transaction. */
export type RoomNeed = 'anyone' | 'requester' | 'member' | 'host';

/** Which bucket of `limits.ts` a call draws from. */
export type LimitName =
  | 'signIn'
  | 'signUp'
  | 'resend'
  | 'verify'
  | 'password'
  | 'lookUp'
  | 'joinRequest'
  | 'roomCreate'
  | 'chat'
  | 'playback'
  | 'playbackBytes'
  | 'receipts'
  | 'invite'
  | 'soulmate'
  | 'search'
  | 'export'
  | 'general';

export interface AccessRow {
  /** Row numbers of the matrix in docs/access.md that this handler serves. */
  rows: readonly number[];
  session: SessionNeed;
  room?: RoomNeed;
  limit: LimitName;
  /** A second bucket, from which a call takes as many bytes as it leaves behind. */
  budget?: LimitName;
}

/** A row of an address that takes or sends bytes. Files that pages show many of are not counted. */
export interface FileAccessRow extends Omit<AccessRow, 'limit'> {
  limit: LimitName | 'uncounted';
}

export const socketAccess = {
  'session/hello': { rows: [1, 7, 9], session: 'verified', limit: 'general' },
  'clock/probe': { rows: [29], session: 'verified', limit: 'general' },
  'playback/takeControl': {
    rows: [30],
    session: 'verified',
    room: 'host',
    limit: 'playback',
    budget: 'playbackBytes',
  },
  'playback/write': { rows: [30], session: 'verified', room: 'host', limit: 'playback', budget: 'playbackBytes' },
  'playback/ready': { rows: [29], session: 'verified', room: 'member', limit: 'general' },
  'rooms/create': { rows: [14], session: 'verified', limit: 'roomCreate' },
  'rooms/lookUp': { rows: [15], session: 'verified', room: 'anyone', limit: 'lookUp' },
  'rooms/askToJoin': { rows: [19, 20], session: 'verified', room: 'anyone', limit: 'joinRequest' },
  'rooms/cancelRequest': { rows: [21], session: 'verified', room: 'requester', limit: 'general' },
  'rooms/requestStatus': { rows: [18, 21], session: 'verified', room: 'requester', limit: 'general' },
  'rooms/acceptRequest': { rows: [22], session: 'verified', room: 'host', limit: 'general' },
  'rooms/rejectRequest': { rows: [22], session: 'verified', room: 'host', limit: 'general' },
  'rooms/enter': { rows: [16, 26, 29], session: 'verified', room: 'member', limit: 'general' },
  'rooms/close': { rows: [16], session: 'verified', room: 'anyone', limit: 'general' },
  'rooms/leave': { rows: [23, 24], session: 'verified', room: 'member', limit: 'general' },
  'rooms/sendMessage': { rows: [27], session: 'verified', room: 'member', limit: 'chat' },
  'rooms/earlierMessages': { rows: [26], session: 'verified', room: 'member', limit: 'general' },
  'catalogue/search': { rows: [38], session: 'verified', room: 'host', limit: 'search' },
  'catalogue/suggest': { rows: [38], session: 'verified', room: 'member', limit: 'general' },
  'tunemates/remove': { rows: [13], session: 'verified', limit: 'general' },
  'soulmate/ask': { rows: [11, 12], session: 'verified', limit: 'soulmate' },
  'soulmate/accept': { rows: [9], session: 'verified', limit: 'general' },
  'soulmate/decline': { rows: [9], session: 'verified', limit: 'general' },
  'soulmate/part': { rows: [13], session: 'verified', limit: 'general' },
  'notifications/invite': { rows: [10, 12], session: 'verified', limit: 'invite' },
  'notifications/dismiss': { rows: [9], session: 'verified', limit: 'general' },
  'notifications/markRead': { rows: [9], session: 'verified', limit: 'general' },
  'chats/list': { rows: [37], session: 'verified', limit: 'general' },
  'chats/open': { rows: [32, 36], session: 'verified', limit: 'general' },
  'chats/earlierMessages': { rows: [32, 36], session: 'verified', limit: 'general' },
  'chats/send': { rows: [33], session: 'verified', limit: 'chat' },
  'chats/mark': { rows: [34, 35], session: 'verified', limit: 'receipts' },
  'chats/typing': { rows: [33], session: 'verified', limit: 'receipts' },
  'chats/block': { rows: [33], session: 'verified', limit: 'general' },
  'chats/blocked': { rows: [1], session: 'verified', limit: 'general' },
} as const satisfies Record<RequestName, AccessRow>;

export const httpAccess = {
  'GET /api/config': { rows: [39], session: 'none', limit: 'general' },
  'GET /api/session': { rows: [1], session: 'none', limit: 'general' },
  'POST /api/accounts/sign-up': { rows: [39], session: 'none', limit: 'signUp' },
  'POST /api/accounts/sign-in': { rows: [39], session: 'none', limit: 'signIn' },
  'POST /api/accounts/sign-out': { rows: [41], session: 'none', limit: 'general' },
  'POST /api/accounts/resend-verification': { rows: [40], session: 'none', limit: 'resend' },
  'POST /api/accounts/verify-email': { rows: [39], session: 'none', limit: 'verify' },
  'POST /api/accounts/reject-sign-up': { rows: [39], session: 'none', limit: 'verify' },
  'POST /api/accounts/request-password-reset': { rows: [39], session: 'none', limit: 'resend' },
  'POST /api/accounts/reset-password': { rows: [39], session: 'none', limit: 'verify' },
  'PATCH /api/accounts/me': { rows: [4, 5], session: 'verified', limit: 'general' },
  'POST /api/accounts/change-password': { rows: [41], session: 'session', limit: 'password' },
  'GET /api/accounts/sessions': { rows: [41], session: 'session', limit: 'general' },
  'POST /api/accounts/revoke-session': { rows: [41], session: 'session', limit: 'general' },
  'POST /api/accounts/sign-out-everywhere': { rows: [41], session: 'session', limit: 'general' },
  'POST /api/accounts/delete': { rows: [6], session: 'session', limit: 'password' },
  'GET /api/push/key': { rows: [9], session: 'verified', limit: 'general' },
  'POST /api/push/subscribe': { rows: [9], session: 'verified', limit: 'general' },
  'POST /api/push/unsubscribe': { rows: [9], session: 'verified', limit: 'general' },
} as const satisfies Record<RouteName, AccessRow>;

/** What is not one of our messages: uploads and files. The protocol has no schema of them. */
export const fileAccess = {
  'GET /api/accounts/export': { rows: [1], session: 'verified', limit: 'export' },
  'POST /api/chats/images': { rows: [33, 36], session: 'verified', limit: 'chat' },
  'GET /api/chats/images/:imageId': { rows: [32], session: 'verified', limit: 'uncounted' },
  'GET /api/chats/images/:imageId/preview': { rows: [32], session: 'verified', limit: 'uncounted' },
  'GET /media/:id': { rows: [29], session: 'verified', limit: 'uncounted' },
  'GET /media/:id/cover': { rows: [29], session: 'verified', limit: 'uncounted' },
} as const satisfies Record<string, FileAccessRow>;
export type FileRouteName = keyof typeof fileAccess;
