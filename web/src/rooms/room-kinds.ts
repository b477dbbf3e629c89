/** All differences between video and audio rooms on the screen; no other code compares kinds. */
import { linkOrigin } from '../store/link-address.ts';
import { audioSeekToleranceSeconds, videoSeekToleranceSeconds } from '@tunemate/playback';
import type { RoomKind } from '@tunemate/protocol';
import { t } from '../language/t.ts';

/** `code` as in the address; the server takes either case. */
export interface RoomAddress {
  readonly kind: RoomKind;
  readonly code: string;
}

/** The owner of the product words the sentences, including their punctuation. */
export interface RoomKindFacts {
  /** The colour of the band, of primary buttons and of the record. */
  readonly ink: 'persimmon' | 'marigold';
  readonly bandTitle: string;
  readonly joinTitle: string;
  readonly createTitle: string;
  readonly joinPath: string;
  readonly createPath: string;
  readonly roomPath: (code: string) => string;
  readonly formatTime: (seconds: number) => string;
  /** A follower seeks only when it is further off than this. */
  readonly seekToleranceSeconds: number;
  readonly codeMissing: string;
  readonly notFoundWhenJoining: string;
  readonly createFailed: string;
  readonly ended: string;
  readonly searchLabel: string;
  readonly panels: RoomPanels;
}

export interface RoomPanels {
  /** 'frame': a picture with controls below it and a view toggle. 'sleeve': the cover with title, level and seek. */
  readonly stage: 'frame' | 'sleeve';
  /** Several tracks with previous and next, or one at a time with suggestions. */
  readonly upNext: 'queue' | 'suggestions';
  /** Where the library opens: in the place of the search's results, or of queue and suggestions beside the player. */
  readonly library: 'sidebar' | 'stage';
}

export const roomKindFacts = {
  video: {
    ink: 'persimmon',
    bandTitle: t`Video room`,
    joinTitle: t`Join a video room`,
    createTitle: t`Create a video room`,
    joinPath: '/join',
    createPath: '/create',
    roomPath: (code) => `/tunemate/${code}`,
    formatTime: formatHoursMinutesSeconds,
    seekToleranceSeconds: videoSeekToleranceSeconds,
    codeMissing: t`Please enter Room Code`,
    notFoundWhenJoining: t`Room not found`,
    createFailed: t`Failed to create room.`,
    ended: t`This Tunemate Room is ended by the host`,
    searchLabel: t`Search videos`,
    panels: { stage: 'frame', upNext: 'queue', library: 'sidebar' },
  },
  audio: {
    ink: 'marigold',
    bandTitle: t`Audio room`,
    joinTitle: t`Join an audio room`,
    createTitle: t`Create an audio room`,
    joinPath: '/join-audio-room',
    createPath: '/create-audio-room',
    roomPath: (code) => `/audio-room/${code}`,
    formatTime: formatMinutesSeconds,
    seekToleranceSeconds: audioSeekToleranceSeconds,
    codeMissing: t`Please enter Audio Room Code`,
    notFoundWhenJoining: t`Audio Room not found`,
    createFailed: t`Failed to create room`,
    ended: t`This Audio Room is ended by the host.`,
    searchLabel: t`Search tracks`,
    panels: { stage: 'sleeve', upNext: 'suggestions', library: 'stage' },
  },
} satisfies Record<RoomKind, RoomKindFacts>;

export function factsOf(kind: RoomKind): RoomKindFacts {
  return roomKindFacts[kind];
}

/** The path of the join screen with its form filled. */
export const joinLink = (kind: RoomKind, code: string): string =>
  `${factsOf(kind).joinPath}?code=${encodeURIComponent(code)}`;

/** The address of the page to join a room, for other people. It contains the code and no secret. */
export const roomLink = (kind: RoomKind, code: string): string => `${linkOrigin()}${joinLink(kind, code)}`;

const pad = (count: number): string => String(count).padStart(2, '0');
const whole = (seconds: number): number => (seconds > 0 && Number.isFinite(seconds) ? Math.floor(seconds) : 0);

/** `00:01:47`. */
function formatHoursMinutesSeconds(seconds: number): string {
  const total = whole(seconds);
  return `${pad(Math.floor(total / 3600))}:${pad(Math.floor(total / 60) % 60)}:${pad(total % 60)}`;
}

/** `01:47`; a track of an hour and more counts its minutes on: `75:00`. */
function formatMinutesSeconds(seconds: number): string {
  const total = whole(seconds);
  return `${pad(Math.floor(total / 60))}:${pad(total % 60)}`;
}
