/**
 * Finding something to play: the operator's library and, with a key, YouTube. Search and suggestions
 * are for all people in a live room; what a track is called is for all who know its id, like its file.
 */
import { z } from 'zod';
import { roomCodeInput, searchWords, videoId } from './wire/fields.ts';
import { limits } from './wire/limits.ts';
import { track } from './playback.ts';
import { fitsOneMessage } from './rooms/enqueue-batches.ts';
import { request } from './wire/request.ts';
import { roomKind } from './wire/room-kind.ts';

const inRoom = { kind: roomKind, code: roomCodeInput };

/** Why a track of the library is suggested: the part that counts most. */
export const suggestedBecause = z.discriminatedUnion('because', [
  /** A person in the room wants it. */
  z.strictObject({ because: z.literal('voted'), name: z.string() }),
  /** It was often played here after the track of this title. */
  z.strictObject({ because: z.literal('after'), title: z.string() }),
  z.strictObject({ because: z.literal('artist'), year: z.number().int().nullable() }),
  z.strictObject({
    // 'together', 'rested', 'surprise': as far as the people in the room have heard it together: often, not for a month,
    // never. 'favourite', 'similar': as the music server says. 'library': chosen from all of it.
    because: z.enum([
      'together',
      'rested',
      'surprise',
      'favourite',
      'similar',
      'genre',
      'years',
      'tempo',
      'calm',
      'library',
    ]),
  }),
]);
export type SuggestedBecause = z.infer<typeof suggestedBecause>;

export const catalogueItem = track.extend({
  source: z.enum(['library', 'youtube', 'link']),
  /** Of suggestions of the library alone. */
  because: suggestedBecause.optional(),
});
export type CatalogueItem = z.infer<typeof catalogueItem>;

/**
 * 'samples': the search failed and two library tracks stand in (audio rooms). '…-used-up': YouTube was not asked or refused,
 * because it wants a minute's pause, because this person's searches of the hour are used up, or because the day's quota
 * is. 'playlist-needs-key': without a key only the video that the link names is there. 'host-not-allowed': the
 * operator allows no films from the host of the link. 'no-film': it is of an allowed host, and names no film.
 */
export const catalogueAnswer = z.strictObject({
  status: z.enum([
    'ok',
    'library-only',
    'samples',
    'minute-used-up',
    'hour-used-up',
    'day-used-up',
    'playlist-needs-key',
    'host-not-allowed',
    'no-film',
  ]),
  items: z.array(catalogueItem).max(limits.playlistItems),
});
export type CatalogueAnswer = z.infer<typeof catalogueAnswer>;

/** What a message's card shows of a track or video. */
export const trackCard = z.strictObject({
  videoId,
  /** 'unknown': nothing could be looked up, and it may play all the same. */
  state: z.enum(['here', 'unknown', 'gone']),
  isFilm: z.boolean(),
  /** Empty unless it is here. */
  title: z.string(),
  artist: z.string().nullable(),
  album: z.string().nullable(),
  durationSeconds: z.number().nullable(),
  thumbnail: z.string().nullable(),
});
export type TrackCard = z.infer<typeof trackCard>;

export const catalogueRequests = {
  'catalogue/search': request({
    may: 'search for tracks',
    needs: { room: 'member' },
    limit: 'search',
    turn: 'outside',
    refusesWith: { 'room/not-found': 'room/not-member' },
    payload: z.strictObject({ ...inRoom, query: searchWords }),
    value: catalogueAnswer,
  }),
  /**
   * Suggestions to play after this track; from the library alone when videoId is null. Those of the library are in the
   * order in which they would play: the first three are what 'Go on with Suggested' plays next.
   */
  'catalogue/suggest': request({
    may: 'read suggestions of what to play next',
    needs: { room: 'member' },
    limit: 'general',
    turn: 'outside',
    refusesWith: { 'room/not-found': 'room/not-member' },
    payload: z.strictObject({ ...inRoom, videoId: videoId.nullable() }),
    value: catalogueAnswer,
  }),
  /** In the order of the ids. */
  'catalogue/cards': request({
    may: 'read what tracks of given ids are called',
    limit: 'cards',
    turn: 'outside',
    payload: z.strictObject({ videoIds: z.array(videoId).min(1).max(limits.cards).refine(fitsOneMessage) }),
    value: z.strictObject({ cards: z.array(trackCard).max(limits.cards) }),
  }),
} as const;
