/**
 * The bounds against floods. One entry says what a bound counts, under which key, how much of it passes, and the attack
 * that succeeds without it. Limits, floods, turns and docs/access.md read it; a refusal names its bound in the log.
 */
import type { LimitName } from '@tunemate/protocol';
import { atMost, type Bound, day, hour, minute, per, second } from './bound.ts';
import { guessBounds } from './guess-bounds.ts';

export const bounds = {
  ...guessBounds,
  general: {
    key: 'person',
    buckets: [per(600, minute)],
    of: 'requests of a person, over HTTP and socket',
    attack: 'a loop of small requests from one account',
  },
  httpIp: {
    key: 'network',
    buckets: [per(50, 10 * second), per(200, minute)],
    of: 'HTTP requests of an address',
    attack: 'a loop of requests without an account',
  },
  requestsIp: {
    key: 'network',
    buckets: [per(6000, minute)],
    of: 'requests of an address to one process, also for pages, media and pictures',
    attack: 'a loop of pages and files, which no other bound counts',
  },
  rename: {
    key: 'person',
    buckets: [per(5, hour)],
    of: 'new names of a person',
    attack: 'names that change in a loop on the pages of all who know the person',
  },
  pair: {
    key: 'pair',
    buckets: [{ burst: 20, everyMs: 2 * second }],
    of: 'what a person does to another one: asking, inviting, removing, reporting, letting in',
    attack: 'filling the inbox, stream or mail of one person',
  },
  unblock: {
    key: 'pair',
    buckets: [{ burst: 4, everyMs: minute }],
    of: 'blocks of one person that another one lifts',
    attack: 'blocking and lifting it in a loop, which the other reads',
  },
  strangers: {
    key: 'recipient',
    buckets: [{ burst: 60, everyMs: minute }],
    of: 'first messages to a person from people without a tie, together',
    attack: 'first messages to one person from many accounts',
  },
  unanswered: {
    key: 'recipient',
    buckets: [{ burst: 20, everyMs: second / 10 }],
    of: 'edits, reactions, deletions, marks, timers, requests and lifted blocks that reach a person from people whom they never answered, together',
    attack: 'a line full of edits and reactions of strangers',
  },
  pushPair: {
    key: 'pair',
    buckets: [{ burst: 20, everyMs: 10 * second }],
    of: 'push messages to a person because of another one',
    attack: 'a device that rings without end',
  },
  pushTo: {
    key: 'recipient',
    buckets: [{ burst: 100, everyMs: 2 * second }],
    of: 'push messages to a person',
    attack: 'a device that rings without end, from many accounts',
  },
  lookUp: {
    key: 'person',
    buckets: [per(120, minute)],
    of: 'codes looked up by a person',
    attack: 'a loop that looks rooms up',
  },
  joinRequest: {
    key: 'person',
    buckets: [per(10, minute)],
    of: 'requests to join by a person',
    attack: 'requests to join many rooms',
  },
  roomRequests: {
    key: 'room',
    buckets: [{ burst: 20, everyMs: second }],
    of: 'requests to join a room',
    attack: 'a host’s desk full of requests of many accounts',
  },
  roomCreate: {
    key: 'person',
    buckets: [{ burst: 5, everyMs: minute }],
    of: 'rooms created by a person',
    attack: 'rooms by the thousand',
  },
  chat: {
    key: 'person',
    buckets: [{ burst: 10, everyMs: second }],
    of: 'messages and pictures of a person',
    attack: 'a chat that is flooded',
  },
  voice: {
    key: 'person',
    buckets: [{ burst: 10, everyMs: 3 * second }, per(200, hour)],
    of: 'voice messages of a person',
    attack: 'recordings that fill the processor with decoding',
  },
  playback: {
    key: 'room',
    buckets: [per(20, second)],
    of: 'playback writes to a room',
    attack: 'a host who writes in a loop, which all members receive',
  },
  playbackBytes: {
    key: 'room',
    buckets: [{ burst: 32 * 1024, everyMs: second / 1536 }],
    of: 'bytes that playback writes leave behind, of a room',
    attack: 'a queue that is stored anew in a loop',
  },
  orders: {
    key: 'room',
    buckets: [per(30, minute)],
    of: 'orders about a room, and answers to offers to host',
    attack: 'a room that is locked and unlocked in a loop, which all members receive',
  },
  reactions: {
    key: 'person',
    buckets: [{ burst: 12, everyMs: second / 2 }],
    of: 'stamps, proposals and votes of a person',
    attack: 'stamps and votes in a loop, which all members receive',
  },
  receipts: {
    key: 'person',
    buckets: [per(5, second)],
    of: 'marks and typing of a person',
    attack: 'marks and typing in a loop, which the other receives',
  },
  invite: {
    key: 'person',
    buckets: [per(10, hour)],
    of: 'invitations of a person',
    attack: 'invitations to all whom a person knows, again and again',
  },
  soulmate: {
    key: 'person',
    buckets: [per(10, hour)],
    of: 'soulmate requests of a person',
    attack: 'requests to many people, again and again',
  },
  search: {
    key: 'person',
    buckets: [per(60, minute)],
    of: 'searches of a person',
    attack: 'searches that use up the quota of the service',
  },
  searchesOfNetwork: {
    key: 'network',
    buckets: [atMost(18, day)],
    of: 'searches and suggestions of the video service that an address on the internet causes: a fifth of what all share',
    attack: 'a few accounts of one address that use up the searches of all for the day',
  },
  searchesOfNewcomer: {
    key: 'person',
    buckets: [atMost(18, day)],
    of: 'the same, of an account younger than a day',
    attack: 'an account made to use up the searches of all for the day',
  },
  lookUpsOfNetwork: {
    key: 'network',
    buckets: [atMost(100, day)],
    of: 'look-ups of the video service that an address on the internet causes, and as many for cards: a fifth of what all share',
    attack: 'a few accounts of one address that use up the look-ups of all for the day',
  },
  lookUpsOfNewcomer: {
    key: 'person',
    buckets: [atMost(100, day)],
    of: 'the same, of an account younger than a day',
    attack: 'an account made to use up the look-ups of all for the day',
  },
  messageSearch: {
    key: 'person',
    buckets: [{ burst: 30, everyMs: second }],
    of: 'searches in the chats of a person',
    attack: 'searches that read the index in a loop',
  },
  cards: {
    key: 'person',
    buckets: [{ burst: 40, everyMs: second }],
    of: 'lists of tracks looked up for the cards of messages, for a person',
    attack: 'look-ups that use up the quota of the service',
  },
  previews: {
    key: 'person',
    buckets: [{ burst: 40, everyMs: second }],
    of: 'previews of links asked for by a person',
    attack: 'a server that fetches pages in a loop',
  },
  previewsOfPerson: {
    key: 'person',
    buckets: [{ burst: 40, everyMs: 30 * second }],
    of: 'web pages fetched for the previews of a person',
    attack: 'attacking another site through the server',
  },
  previewsOfChat: {
    key: 'pair',
    buckets: [{ burst: 20, everyMs: minute }],
    of: 'the same, for a person in one chat',
    attack: 'one chat that uses up the previews of a person',
  },
  previewsOfHostByPerson: {
    key: 'pair',
    buckets: [{ burst: 20, everyMs: 3 * second }],
    of: 'the same, for a person at one host',
    attack: 'one person who uses up the previews of a host for all',
  },
  previewsOfHost: {
    key: 'all',
    buckets: [{ burst: 60, everyMs: second }],
    of: 'requests to one host for previews',
    attack: 'attacking another site through the server with many accounts',
  },
  subtitles: {
    key: 'person',
    buckets: [per(30, minute)],
    of: 'subtitles and lyrics read for a person',
    attack: 'files that are read in a loop',
  },
  browsing: {
    key: 'person',
    buckets: [{ burst: 40, everyMs: second }],
    of: 'lists of the library’s tracks for a person, and saved queues sent as files',
    attack: 'passes over the whole library in a loop',
  },
  playlists: {
    key: 'person',
    buckets: [per(10, minute)],
    of: 'playlist files read for a person',
    attack: 'playlist files that are compared with the whole library',
  },
  export: {
    key: 'person',
    buckets: [per(3, hour)],
    of: 'exports of a person',
    attack: 'exports that read the whole database in a loop',
  },
  beside: {
    key: 'network',
    buckets: [per(300, minute)],
    of: 'probes and the track of devices without an account that are held beside a page, from an address',
    attack: 'a loop of probes without an account',
  },
  listens: {
    key: 'person',
    buckets: [per(20, hour)],
    of: 'tokens of listens entered and deleted by a person',
    attack: 'guessing tokens of another service through the server',
  },
  report: {
    key: 'person',
    buckets: [per(5, hour)],
    of: 'reports of a person to the operator',
    attack: 'a desk full of reports of one person',
  },
  socketOpensIp: {
    key: 'network',
    buckets: [{ burst: 100, everyMs: second / 20 }],
    of: 'new sockets of an address',
    attack: 'a loop of sockets',
  },
  cspReports: {
    key: 'network',
    buckets: [per(20, minute)],
    of: 'reports of the page policy from an address',
    attack: 'a log full of reports of the page policy',
  },
  linkCards: {
    key: 'network',
    buckets: [per(60, minute)],
    of: 'pictures of links sent to an address',
    attack: 'pictures of links that are drawn in a loop',
  },
  linkCardsDrawn: {
    key: 'all',
    buckets: [{ burst: 30, everyMs: second / 2 }],
    of: 'pictures of links drawn in all; beyond it a link shows the picture of its kind',
    attack: 'pictures of links that are drawn for many networks',
  },
  megapixels: {
    key: 'person',
    buckets: [{ burst: 600, everyMs: second }],
    of: 'megapixels decoded for a person',
    attack: 'pictures that are small to send and large to decode',
  },
  storedKilobytes: {
    key: 'person',
    buckets: [per(200 * 1024, day)],
    of: 'KB of messages, pictures and recordings of a person, stored for good (STORED_MB_PER_DAY)',
    attack: 'a disk full of messages and pictures',
  },
  covers: {
    key: 'person',
    buckets: [{ burst: 300, everyMs: second / 2 }],
    of: 'files read for their cover for a person',
    attack: 'covers that are read from files in a loop',
  },
  lostImages: {
    key: 'person',
    buckets: [per(3, hour)],
    of: 'uploads of a person that had to be ended by force',
    attack: 'pictures that make the reader of pictures fail',
  },
} as const satisfies Record<LimitName, Bound> & Record<string, Bound>;

export type BucketName = keyof typeof bounds;
