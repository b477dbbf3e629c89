/** Opens a page inside a room of either kind, as its host or as a guest. */
import { clientId, maraUid, mara, uidOf } from '../connection-fixtures.ts';
import type {
  AfterTrack,
  HandOver,
  HostChange,
  JoinRequest,
  Participant,
  PlaybackDocument,
  PlaybackIntent,
  Proposal,
  RoomChange,
  RoomCode,
  RoomId,
  RoomKind,
  RoomMessage,
  RoomSettings,
  RoomSnapshot,
  PlaybackChange,
  TabId,
  Uid,
  Track,
  VideoId,
} from '@tunemate/protocol';
import type { FakeServer } from './fake-server.ts';
import { ok } from './fake-server.ts';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { openPage, type Visit } from './open-page.tsx';
import { shownToHost, shownToMembers } from '../room-fixtures.ts';
import { otherTab, playbackDocument } from '../playback-fixtures.ts';
import { ivoUid } from './people.ts';

type QueueEdit = Extract<PlaybackChange, { type: 'playback/queueChanged' }>['edit'];

export const testRoomCode = '7F3A9C' as RoomCode;
export const roomPath = { video: `/tunemate/${testRoomCode}`, audio: `/audio-room/${testRoomCode}` } as const;

const host: Participant = { uid: maraUid, name: mara.name, online: true };
const otherHost: Participant = { uid: ivoUid, name: 'Ivo Baranov', online: true };

/** `letter` is a digit or a to f, and distinguishes tracks: 'f' is a film, all others are songs. */
export function aTrack(letter: string, more: Partial<Track> = {}): Track {
  return {
    videoId: `lib_${letter.repeat(16)}` as VideoId,
    title: `Track ${letter}`,
    thumbnail: null,
    durationSeconds: 120,
    ...more,
  };
}

export function aRoomMessage(number: number, more: Partial<RoomMessage> = {}): RoomMessage {
  return {
    id: `m${String(number)}`,
    clientId: clientId(number),
    sender: ivoUid,
    senderName: 'Ivo Baranov',
    text: `message ${String(number)}`,
    isDeleted: false,
    number,
    timestamp: 1000 + number,
    stamps: [],
    ...more,
  };
}

export function aRequest(name: string, askedAt = 1): JoinRequest {
  return { uid: uidOf(name), name, status: 'pending', askedAt };
}

/** What plays, independent of the kind of room. */
export interface Playing {
  readonly tracks?: readonly Track[];
  readonly index?: number;
  readonly isPlaying?: boolean;
  readonly atSeconds?: number;
  /** When it was there, in milliseconds of this machine's clock; now where it is left out. */
  readonly atMs?: number;
  readonly controller?: 'this tab' | 'another tab' | null;
  readonly afterTrack?: AfterTrack;
}

/** Requests that the host's player sends by itself. */
const saidByThePlayer = new Set<PlaybackIntent['type']>(['measured', 'named', 'hold', 'reanchor', 'ended']);

function documentOf(kind: RoomKind, playing: Playing, thisTab: TabId | null, revision: number): PlaybackDocument {
  const { atSeconds = 0, atMs = Date.now(), controller = 'this tab', ...same } = playing;
  return playbackDocument(kind, {
    ...same,
    revision,
    currentTime: atSeconds,
    updatedAt: atMs,
    durationSeconds: playing.tracks?.[playing.index ?? 0]?.durationSeconds ?? null,
    controller: controller === 'another tab' ? otherTab : controller === null ? null : thisTab,
  });
}

export interface RoomVisit extends Visit {
  /** The address to open, where it is not the room's. */
  readonly path?: string;
  readonly isHost?: boolean;
  readonly name?: string;
  /** Participants besides Mara, and Ivo where he is the host. */
  readonly guests?: readonly Participant[];
  /** How many are in the room, where not all of them are named. */
  readonly people?: number;
  readonly requests?: readonly JoinRequest[];
  readonly messages?: readonly RoomMessage[];
  readonly hasEarlierMessages?: boolean;
  readonly hostAwaySince?: number | null;
  readonly handOver?: HandOver | null;
  /** Where they differ from those of a new room. */
  readonly settings?: Partial<RoomSettings>;
  readonly skipVotes?: readonly Uid[];
  readonly proposals?: readonly Proposal[];
  readonly ownVotes?: readonly string[];
  readonly playing?: Playing;
}

export interface RoomOnPage {
  readonly server: FakeServer;
  /** A change on the room's stream. */
  tell(change: RoomChange): void;
  /** A change on the stream of the room's host. */
  pushToHost(change: HostChange): void;
  /** Sends a play, pause or seek to all, by name where the remote is shared. */
  /** `index`: of another track of the queue. */
  move(to: { isPlaying: boolean; atSeconds?: number; by?: string; index?: number }): void;
  /** Sends another track in place of the current one. */
  replace(track: Track): void;
  /** Sends the title of the current track to all. */
  name(title: string): void;
  /** Changes the queue for all; the track that plays stays where it is in it. */
  edit(how: QueueEdit): void;
  /** Makes this tab the controlling one. */
  giveControl(): void;
  /** The requests of the host's controls, oldest first. */
  intents(): readonly PlaybackIntent[];
}

const orderIn = ({ handOver = null, proposals = [], skipVotes = [], settings }: RoomVisit) => ({
  handOver,
  ...shownToMembers(settings),
  proposals: [...proposals],
  skipVotes: [...skipVotes],
});

const rosterIn = ({ isHost = true, guests = [], people }: RoomVisit) => {
  const participants = [...(isHost ? [host] : [otherHost, host]), ...guests];
  return { people: people ?? participants.length, participants };
};

/** The code of rooms is loaded first. */
const roomAsked = (server: FakeServer) => expect.poll(() => server.asked('rooms/enter').length).toBeGreaterThan(0);

/** A library without tracks, words or suggestions. */
function answerEmptyLibrary(stand: FakeServer): void {
  stand.on('library/subtitles', () => ok({ subtitles: [] }));
  stand.on('library/loudness', () => ok({ track: null, peaks: null, album: null }));
  stand.on('library/lyrics', () => ok({ lyrics: null }));
  stand.on('library/tracks', () => ok({ total: 0, tracks: [] }));
  stand.on('catalogue/suggest', () => ok({ status: 'library-only', items: [] }));
}

export async function openRoom(kind: RoomKind, visit: RoomVisit = {}): Promise<RoomOnPage> {
  const { isHost = true, requests = [], messages = [], hasEarlierMessages = false } = visit;
  let revision = 1;
  let hostNow = isHost ? maraUid : ivoUid;
  const snapshotNow = (server: FakeServer): RoomSnapshot => ({
    seq: 10,
    room: {
      kind,
      roomId: 'r'.repeat(22) as RoomId,
      code: testRoomCode,
      name: visit.name ?? 'Friday Slow Burn',
      host: hostNow,
      createdAt: 1000,
      isActive: true,
      hostAwaySince: visit.hostAwaySince ?? null,
      ...orderIn(visit),
      ...rosterIn(visit),
    },
    hostSeq: hostNow === maraUid ? 0 : null,
    requests: [...requests],
    hostSettings: isHost ? shownToHost(visit.settings) : null,
    messages: [...messages],
    hasEarlierMessages,
    ownVotes: [...(visit.ownVotes ?? [])],
    playback: documentOf(kind, visit.playing ?? {}, tabOf(server), revision),
    serverNowMs: Date.now(),
  });
  let entered: RoomSnapshot | null = null;
  const { server } = await openPage(visit.path ?? roomPath[kind], {
    ...visit,
    prepare: (stand) => {
      stand.on('rooms/enter', () => ok((entered = snapshotNow(stand))));
      stand.on('rooms/leave', () => ok({}));
      stand.on('playback/takeControl', () => ok({ revision }));
      stand.on('playback/write', () => ok({ revision }));
      answerEmptyLibrary(stand);
      visit.prepare?.(stand);
    },
  });
  if (visit.path === undefined) await roomAsked(server);
  const inside = (): RoomSnapshot => {
    if (entered === null) throw new Error('the room was not entered yet');
    return entered;
  };
  const tell = (change: RoomChange): void => {
    if (change.type === 'rooms/hostChanged') hostNow = change.host;
    server.pushToRoom(inside(), change);
  };
  const pushToHost = (change: HostChange): void => server.pushToHost(inside(), change);
  const nextRevision = (): number => (revision += 1);
  const playhead = (isPlaying: boolean, currentTime: number, currentIndex = visit.playing?.index ?? 0) => ({
    revision: nextRevision(),
    isPlaying,
    currentTime,
    updatedAt: Date.now(),
    currentIndex,
  });
  const edit = (how: QueueEdit): void =>
    tell({ type: 'playback/queueChanged', ...playhead(visit.playing?.isPlaying ?? false, 0), edit: how });
  return {
    server,
    tell,
    pushToHost,
    move: ({ isPlaying, atSeconds = 0, by, index }) =>
      tell({ type: 'playback/moved', ...playhead(isPlaying, atSeconds, index), ...(by !== undefined && { by }) }),
    replace: (track) =>
      tell({ type: 'playback/queueChanged', ...playhead(false, 0), edit: { type: 'replaced', track } }),
    name: (title) => edit({ type: 'named', index: visit.playing?.index ?? 0, title }),
    edit,
    giveControl: () =>
      tell({ type: 'playback/controlChanged', revision: nextRevision(), controller: tabOf(server) ?? otherTab }),
    intents: () =>
      server
        .asked('playback/write')
        .map(({ intent }) => intent)
        .filter(({ type }) => !saidByThePlayer.has(type)),
  };
}

function tabOf(server: FakeServer): TabId | null {
  return server.asked('session/hello').at(-1)?.tabId ?? null;
}

/** The player of the room on the page. */
export const mediaElement = (): HTMLMediaElement => page.getByTestId('player-media').element() as HTMLMediaElement;

/** The same, once it is heard: one that warms up is muted. */
export async function untilHeard(): Promise<HTMLMediaElement> {
  await expect.poll(() => page.getByTestId('player-media').elements().length).toBe(1);
  await expect.poll(() => !mediaElement().paused && !mediaElement().muted).toBe(true);
  return mediaElement();
}
