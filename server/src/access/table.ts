/**
 * The one table of who may do what: every HTTP route and every socket request. `authorize.ts` and `http/routes.ts` obey
 * it. A handler that is not in it can't be registered, and a row without a handler stops the start.
 */
import type { RoomNeed } from '@tunemate/domain';
import type { ErrorCode, RequestName, RouteName } from '@tunemate/protocol';

/** The session that a route requires: none, any, or that of a verified person. */
export type SessionNeed = 'none' | 'session' | 'verified';

/** Which bucket a call draws from. */
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
  | 'orders'
  | 'reactions'
  | 'receipts'
  | 'invite'
  | 'soulmate'
  | 'search'
  | 'subtitles'
  | 'browsing'
  | 'report'
  | 'export'
  | 'general';

/** A socket request. Its session is that of the connection, which is opened for verified people only. */
export interface AccessRow {
  limit: LimitName;
  /** A second bucket, from which a call takes the bytes that it stores. */
  budget?: LimitName;
  /** The payload names a room: what the caller must be to it. The handler gets a `Member`, which checks it. */
  room?: RoomNeed;
  /** The payload names another person, who must have or have had an account. The handler gets a `Pair`. */
  person?: 'known';
  /** The payload names a conversation, which must be the caller's own. The handler gets a `Chat`. */
  chat?: 'own';
  /** Refusals that would reveal too much here, and what is answered instead. */
  refusesWith?: Partial<Record<ErrorCode, ErrorCode>>;
}

/** An HTTP route of the protocol. */
export interface RouteAccessRow {
  session: SessionNeed;
  limit: LimitName;
}

/** A row of an address that takes or sends bytes. Files that pages show many of are not counted. */
export interface FileAccessRow {
  session: SessionNeed;
  limit: LimitName | 'uncounted';
}

export const socketAccess = {
  'session/hello': { limit: 'general' },
  'clock/probe': { limit: 'general' },
  'playback/takeControl': {
    room: 'host',
    limit: 'playback',
    budget: 'playbackBytes',
  },
  'playback/write': { room: 'host', limit: 'playback', budget: 'playbackBytes' },
  'playback/voteToSkip': { room: 'member', limit: 'reactions' },
  'playback/ready': { room: 'member', limit: 'general' },
  'rooms/create': { limit: 'roomCreate' },
  'rooms/mine': { limit: 'general' },
  'rooms/lookUp': { room: 'anyone', limit: 'lookUp', refusesWith: { 'room/ended': 'room/not-found' } },
  'rooms/askToJoin': { room: 'anyone', limit: 'joinRequest' },
  'rooms/cancelRequest': { room: 'requester', limit: 'general' },
  'rooms/renewRequest': { room: 'anyone', limit: 'general' },
  'rooms/acceptRequest': { room: 'host', limit: 'general' },
  'rooms/rejectRequest': { room: 'host', limit: 'general' },
  'rooms/acceptAll': { room: 'host', limit: 'general' },
  'rooms/setAdmission': { room: 'host', limit: 'orders' },
  'rooms/enter': { room: 'member', limit: 'general' },
  'rooms/close': { limit: 'general' },
  'rooms/leave': { room: 'member', limit: 'general' },
  'rooms/removeParticipant': { room: 'host', limit: 'orders' },
  'rooms/setLocked': { room: 'host', limit: 'orders' },
  'rooms/setSwitch': { room: 'host', limit: 'orders' },
  'rooms/offerHosting': { room: 'host', limit: 'orders' },
  'rooms/takeBackHosting': { room: 'host', limit: 'orders' },
  'rooms/answerHosting': { room: 'member', limit: 'orders' },
  'rooms/sendMessage': { room: 'member', limit: 'chat' },
  'rooms/deleteMessage': { room: 'host', limit: 'general' },
  'rooms/stamp': { room: 'member', limit: 'reactions' },
  'rooms/cheer': { room: 'member', limit: 'reactions' },
  'rooms/propose': { room: 'member', limit: 'reactions' },
  'rooms/voteForProposal': { room: 'member', limit: 'reactions' },
  'rooms/addProposal': { room: 'host', limit: 'playback' },
  'rooms/dismissProposal': { room: 'host', limit: 'general' },
  'rooms/earlierMessages': { room: 'member', limit: 'general' },
  'rooms/people': { room: 'member', limit: 'general' },
  // A search must not reveal whether a code is in use.
  'catalogue/search': { room: 'member', limit: 'search', refusesWith: { 'room/not-found': 'room/not-member' } },
  'catalogue/suggest': { room: 'member', limit: 'general', refusesWith: { 'room/not-found': 'room/not-member' } },
  'library/groups': { room: 'member', limit: 'general', refusesWith: { 'room/not-found': 'room/not-member' } },
  'library/tracks': { room: 'member', limit: 'browsing', refusesWith: { 'room/not-found': 'room/not-member' } },
  'library/subtitles': { room: 'member', limit: 'general', refusesWith: { 'room/not-found': 'room/not-member' } },
  'tunemates/remove': { person: 'known', limit: 'general' },
  'soulmate/ask': { person: 'known', limit: 'soulmate' },
  'soulmate/accept': { limit: 'general' },
  'soulmate/decline': { limit: 'general' },
  'soulmate/takeBack': { person: 'known', limit: 'general' },
  'soulmate/taken': { limit: 'general' },
  'soulmate/part': { limit: 'general' },
  'notifications/invite': { person: 'known', limit: 'invite' },
  'notifications/dismiss': { limit: 'general' },
  'notifications/markRead': { limit: 'general' },
  'chats/list': { limit: 'general' },
  'chats/open': { limit: 'general' },
  'chats/earlierMessages': { chat: 'own', limit: 'general' },
  'chats/send': { person: 'known', limit: 'chat' },
  'chats/mark': { chat: 'own', limit: 'receipts' },
  'chats/typing': { limit: 'receipts' },
  'chats/block': { person: 'known', limit: 'general' },
  'chats/blocked': { limit: 'general' },
  'reports/send': { person: 'known', limit: 'report' },
} as const satisfies Record<RequestName, AccessRow>;

export const httpAccess = {
  'GET /api/config': { session: 'none', limit: 'general' },
  'GET /api/session': { session: 'none', limit: 'general' },
  'POST /api/accounts/sign-up': { session: 'none', limit: 'signUp' },
  'POST /api/accounts/sign-in': { session: 'none', limit: 'signIn' },
  'POST /api/accounts/sign-out': { session: 'none', limit: 'general' },
  'POST /api/accounts/resend-verification': { session: 'none', limit: 'resend' },
  'POST /api/accounts/verify-email': { session: 'none', limit: 'verify' },
  'POST /api/accounts/reject-sign-up': { session: 'none', limit: 'verify' },
  'POST /api/accounts/request-password-reset': { session: 'none', limit: 'resend' },
  'POST /api/accounts/reset-password': { session: 'none', limit: 'verify' },
  'PATCH /api/accounts/me': { session: 'verified', limit: 'general' },
  'POST /api/accounts/change-password': { session: 'session', limit: 'password' },
  'GET /api/accounts/sessions': { session: 'session', limit: 'general' },
  'POST /api/accounts/revoke-session': { session: 'session', limit: 'general' },
  'POST /api/accounts/sign-out-everywhere': { session: 'session', limit: 'general' },
  'POST /api/accounts/delete': { session: 'session', limit: 'password' },
  'GET /api/push/key': { session: 'verified', limit: 'general' },
  'POST /api/push/subscribe': { session: 'verified', limit: 'general' },
  'POST /api/push/unsubscribe': { session: 'verified', limit: 'general' },
} as const satisfies Record<RouteName, RouteAccessRow>;

/** Uploads and files, which are not messages of the protocol and have no schema. */
export const fileAccess = {
  'GET /api/accounts/export': { session: 'verified', limit: 'export' },
  'POST /api/chats/images': { session: 'verified', limit: 'chat' },
  'GET /api/chats/images/:imageId': { session: 'verified', limit: 'uncounted' },
  'GET /api/chats/images/:imageId/preview': { session: 'verified', limit: 'uncounted' },
  'GET /media/:id': { session: 'verified', limit: 'uncounted' },
  'GET /media/:id/cover': { session: 'verified', limit: 'uncounted' },
  'GET /media/:id/subtitles/:subtitlesId': { session: 'verified', limit: 'subtitles' },
} as const satisfies Record<string, FileAccessRow>;
export type FileRouteName = keyof typeof fileAccess;
