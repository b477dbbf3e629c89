/**
 * The kinds of notification. One entry says what a kind is: store, inbox, pushes, screen and home read it. Its sentences
 * in the reader's language stand in `web/src/notifications/notice-words.ts`, of what is pushed in `web/public/worker.js`.
 * This file has no schema, so that pages may take its values.
 */
interface NoticeKind {
  /** Whether a person can have several of one sender, of different rooms; else a later one replaces the earlier. */
  isOneEachRoom: boolean;
  /** Who says it. The product is no person, whatever a person is called: no chat leads to it. */
  from: 'person' | 'product';
  /**
   * What its keys do. 'answer': accept and decline. 'invitation': into its room, or ask to join. 'ownRoom': back to the
   * reader's room, which waits for them. 'chat': to the sender.
   */
  leads: 'answer' | 'invitation' | 'ownRoom' | 'chat' | 'nowhere';
  /** Under which name it is pushed to devices; null for one that is not. */
  pushedAs: string | null;
  /** The stored sentence, for exports: with its room while that is live, once it has ended, and without a room. */
  message: { readonly live: string; readonly ended: string; readonly none: string };
}

const always = (sentence: string) => ({ live: sentence, ended: sentence, none: sentence });

export const noticeKinds = {
  /** An invitation of a tunemate or the soulmate. */
  'now-playing': {
    isOneEachRoom: false,
    from: 'person',
    leads: 'invitation',
    pushedAs: 'invitation',
    message: {
      live: '{sender} invites you to {room}',
      ended: '{sender} invited you to {room}',
      none: '{sender} invites you to listen',
    },
  },
  soulmate: {
    isOneEachRoom: false,
    from: 'person',
    leads: 'answer',
    pushedAs: 'soulmate',
    message: always('{sender} asks you to be soulmates'),
  },
  tunemate: {
    isOneEachRoom: false,
    from: 'person',
    leads: 'answer',
    pushedAs: 'tunemate',
    message: always('{sender} asks you to be tunemates'),
  },
  /** A tunemate or the soulmate asks to keep what both hear together. */
  music: {
    isOneEachRoom: false,
    from: 'person',
    leads: 'answer',
    pushedAs: null,
    message: always('{sender} would like to keep what you hear together'),
  },
  /** A tunemate shares saved queues. */
  queue: {
    isOneEachRoom: false,
    from: 'person',
    leads: 'chat',
    pushedAs: null,
    message: always('{sender} shares a saved queue with you'),
  },
  /** One's own report was read. */
  report: {
    isOneEachRoom: false,
    from: 'product',
    leads: 'nowhere',
    pushedAs: null,
    message: always('{sender} says that your report was read'),
  },
  /** A room ended, or soon ends, because oneself, its host, is away. */
  'host-away': {
    isOneEachRoom: true,
    from: 'product',
    leads: 'ownRoom',
    pushedAs: null,
    message: {
      live: '{room} ends soon unless you return',
      ended: '{room} ended because you were away',
      none: 'A room ended because you were away',
    },
  },
} as const satisfies Record<string, NoticeKind>;

export type NoticeType = keyof typeof noticeKinds;

type PushedAs = Exclude<(typeof noticeKinds)[NoticeType]['pushedAs'], null>;

/** The names under which notifications are pushed. */
export const pushedNames = [
  ...new Set(Object.values(noticeKinds).flatMap(({ pushedAs }) => pushedAs ?? [])),
] as readonly PushedAs[];

export const noticeTypes = Object.keys(noticeKinds) as NoticeType[];

interface NoticeNames {
  readonly type: NoticeType;
  readonly senderName: string;
  readonly room: { readonly name: string; readonly hasEnded: boolean } | null;
}

/** The stored sentence of a notification, in English. */
export function noticeMessage({ type, senderName, room }: NoticeNames): string {
  const { live, ended, none } = noticeKinds[type].message;
  const sentence = room === null ? none : room.hasEnded ? ended : live;
  const names = { sender: senderName, room: room?.name ?? '' };
  return sentence.replaceAll(/\{(sender|room)\}/g, (_, name: 'sender' | 'room') => names[name]);
}

/** News of a request to join is of use this long: the host may come late, and the request may have lapsed by then. */
export const joinRequestNewsMs = 30 * 60_000;
