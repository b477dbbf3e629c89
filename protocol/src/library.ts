/**
 * Looking through the operator's library: its artists, albums, genres, playlists and folders, the newest files, and a search
 * that calls no outside service. For all members of a room; an audio room sees no films.
 */
import { z } from 'zod';
import { roomCodeInput, searchWords, videoId } from './wire/fields.ts';
import { limits } from './wire/limits.ts';
import { track } from './playback.ts';
import { request } from './wire/request.ts';
import { roomKind } from './wire/room-kind.ts';

const inRoom = { kind: roomKind, code: roomCodeInput };
const count = z.number().int().nonnegative();

/** By what tracks are grouped. */
export const libraryGrouping = z.enum(['artist', 'album', 'genre', 'playlist', 'folder']);
export type LibraryGrouping = z.infer<typeof libraryGrouping>;

const libraryOrder = z.enum(['name', 'year']);
export type LibraryOrder = z.infer<typeof libraryOrder>;

/** 16 hex digits computed from what a group is called, or where a file is: the same after a restart. */
const libraryHash = z.string().regex(/^[0-9a-f]{16}$/);

/** By what tracks come from one of several sources: the operator's folder, or a server. */
const librarySource = z.string().max(20);

/** An artist, an album, a genre, a playlist or a folder. */
export const libraryGroup = z.strictObject({
  id: libraryHash,
  /** Null for files that name no artist or genre, and for the top folder. */
  name: z.string().nullable(),
  /** Who made the album and when, or whose playlist it is; null for everything else. */
  artist: z.string().nullable(),
  year: z.number().int().nullable(),
  tracks: count,
  /** On how many albums the artist is; null for everything else. */
  albums: count.nullable(),
  /** How long all tracks of the album last; null for everything else, and while the length of one is unknown. */
  durationSeconds: z.number().nonnegative().nullable(),
  /** The cover of one of its files. */
  thumbnail: z.string().nullable(),
  /** Four covers of a playlist that has as many. */
  covers: z.array(z.string()).length(4).exactOptional(),
});
export type LibraryGroup = z.infer<typeof libraryGroup>;

/** Programs that an operator's music server may be, by what they call themselves. */
export const musicServer = z.enum(['navidrome', 'gonic', 'airsonic', 'supysonic', 'jellyfin', 'other']);
export type MusicServer = z.infer<typeof musicServer>;

/** An item as lists show it. `title` names the artist too: it is what the room reads when it plays. */
export const libraryTrack = track.extend({
  name: z.string(),
  artist: z.string().nullable(),
  album: z.string().nullable(),
  /** Where it comes from, in a library that holds files too; null for a file, and where there are no files. */
  server: musicServer.nullable(),
  /** It has a picture that moves, and is in the library of video rooms only. */
  isFilm: z.boolean(),
});
export type LibraryTrack = z.infer<typeof libraryTrack>;

/**
 * Which tracks: those of a group, all by the time their file was last changed, the same with films first (what a room may
 * begin with), or those that contain every word.
 */
export const libraryView = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('group'), by: libraryGrouping, id: libraryHash }),
  z.strictObject({ type: z.literal('newest') }),
  z.strictObject({ type: z.literal('toBegin') }),
  z.strictObject({ type: z.literal('search'), words: searchWords }),
]);
export type LibraryView = z.infer<typeof libraryView>;

/** `from` counts from 0; an answer holds at most `limits.libraryPage` entries from there on. */
const from = count.max(1_000_000);

/** Subtitles of a film: `language` as BCP 47 when the file's name ends in one, else what the name says of them, if anything. */
const filmSubtitles = z.strictObject({
  id: libraryHash,
  language: z.string().nullable(),
  label: z.string().nullable(),
});

const lufs = z.number().nullable();

/** The words of a track, from its beginning on. `text` is empty where nothing is sung, and has a line for each language. */
export const lyrics = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('timed'),
    /** In the order of their times. */
    lines: z.array(z.strictObject({ atSeconds: z.number().nonnegative(), text: z.string() })).max(limits.lyricsLines),
  }),
  z.strictObject({ type: z.literal('plain'), lines: z.array(z.string()).max(limits.lyricsLines) }),
]);
export type Lyrics = z.infer<typeof lyrics>;

export const libraryRequests = {
  'library/groups': request({
    may: 'list the artists, albums and films of the library',
    needs: { room: 'member' },
    limit: 'general',
    refusesWith: { 'room/not-found': 'room/not-member' },
    /**
     * With `artist` only the albums on which this artist is; by `year` the newest first, those without a year last; with
     * `source` only what it has.
     */
    payload: z.strictObject({
      ...inRoom,
      by: libraryGrouping,
      from,
      artist: libraryHash.optional(),
      order: libraryOrder.optional(),
      source: librarySource.optional(),
    }),
    value: z.strictObject({
      totals: z.strictObject({
        ...{ artist: count, album: count, genre: count, playlist: count, folder: count },
        tracks: count,
      }),
      groups: z.array(libraryGroup).max(limits.libraryPage),
      /** Where each first letter begins in the whole list; '#' stands for everything that is no letter. None by year. */
      letters: z.array(z.strictObject({ letter: z.string(), at: count })),
      /** While files are read that were not known: how many were looked at, of how many. */
      reading: z.strictObject({ read: count, of: count }).exactOptional(),
      /** Where tracks come from, if from more than one: `server` is null for the folder. */
      sources: z.array(z.strictObject({ name: librarySource, server: musicServer.nullable() })).exactOptional(),
    }),
  }),
  'library/tracks': request({
    may: 'list tracks of the library',
    needs: { room: 'member' },
    limit: 'browsing',
    refusesWith: { 'room/not-found': 'room/not-member' },
    payload: z.strictObject({ ...inRoom, view: libraryView, from, source: librarySource.optional() }),
    value: z.strictObject({ total: count, tracks: z.array(libraryTrack).max(limits.libraryPage) }),
  }),
  /** None for a track, for a film without, and for what is no item of the library. Read at `/media/:id/subtitles/:subtitlesId`. */
  'library/subtitles': request({
    may: 'list the subtitles of a film',
    needs: { room: 'member' },
    limit: 'general',
    refusesWith: { 'room/not-found': 'room/not-member' },
    payload: z.strictObject({ ...inRoom, videoId }),
    value: z.strictObject({ subtitles: z.array(filmSubtitles) }),
  }),
  /** Null for a track without words, for a film, and for what is no item of the library. */
  'library/lyrics': request({
    may: 'read the words of a track',
    needs: { room: 'member' },
    limit: 'subtitles',
    refusesWith: { 'room/not-found': 'room/not-member' },
    payload: z.strictObject({ ...inRoom, videoId }),
    value: z.strictObject({ lyrics: lyrics.nullable() }),
  }),
  /**
   * How loud a track and its album are as recorded, in LUFS; null while unknown, and for what is no track of the library.
   * `tracks` are all of the album. `peaks` is how loud each part of the track is beside its loudest one, a digit of base
   * 36 each; null while unknown, and for what has none.
   */
  'library/loudness': request({
    may: 'read how loud a track is recorded',
    needs: { room: 'member' },
    limit: 'general',
    refusesWith: { 'room/not-found': 'room/not-member' },
    payload: z.strictObject({ ...inRoom, videoId }),
    value: z.strictObject({
      track: lufs,
      peaks: z.string().max(limits.trackParts).nullable(),
      album: z.strictObject({ lufs, tracks: z.array(videoId).max(limits.queueItems) }).nullable(),
    }),
  }),
  /**
   * Asks for a copy of a queued track that is turned down by so many tenths of a decibel, for a browser that ignores the
   * volume. Once it is there it is sent at `/media/:id?even=GAIN`, and the track as it is before that.
   */
  'library/evenCopy': request({
    may: 'ask for a copy of a queued track with its gain in the sound',
    needs: { room: 'member' },
    limit: 'subtitles',
    refusesWith: { 'room/not-found': 'room/not-member' },
    payload: z.strictObject({ ...inRoom, videoId, gain: z.number().int().min(-280).max(-1) }),
    value: z.strictObject({}),
  }),
} as const;
