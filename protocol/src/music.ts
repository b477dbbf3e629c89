/**
 * Our music: what two people heard together, kept for as long as both want that, and a blend of both tastes. Only the two
 * see it, and either deletes it for both.
 */
import { z } from 'zod';
import { namedTrack, track } from './playback.ts';
import { namedUid, roomCode, uid } from './wire/fields.ts';
import { limits } from './wire/limits.ts';
import { request } from './wire/request.ts';
import { roomKind } from './wire/room-kind.ts';

const nothing = z.strictObject({});
const count = z.number().int().nonnegative();
const ms = z.number().nonnegative();
const time = z.number().int().min(0).max(8_640_000_000_000_000);
/** From a moment on until another, of the reader's own day or year. */
const span = z.strictObject({ from: time, until: time });
const person = { uid: namedUid };

/** An evening that both spent in one room. Its length is what both heard. */
export const musicEvening = z.strictObject({
  from: z.number(),
  until: z.number(),
  heardMs: ms,
  room: z.strictObject({ kind: roomKind, code: roomCode, name: z.string() }),
});
export type MusicEvening = z.infer<typeof musicEvening>;

const heardTrack = track.extend({ times: count });

/** What was heard together from one moment until another. */
const heardIn = {
  heardMs: ms,
  evenings: count,
  tracks: count,
  /** The most heard first. */
  most: z.array(heardTrack).max(limits.musicTracks),
};

export const ourMusic = z.strictObject({
  ...heardIn,
  keptSince: z.number(),
  first: z.strictObject({ ...track.shape, at: z.number() }).nullable(),
  /** The first evening, where the two met. */
  met: musicEvening.nullable(),
  /** Of the last 53 weeks, the oldest first. */
  weeks: z.array(musicEvening.omit({ room: true })).max(limits.musicEvenings),
  /** Of the day that was asked for: its evenings and their first tracks. */
  ago: z.strictObject({
    evenings: z.array(musicEvening).max(limits.musicTracks),
    tracks: z.array(track).max(limits.musicTracks),
  }),
  /** Who deleted what was there before. */
  forgottenBy: z.enum(['me', 'them']).nullable(),
});
export type OurMusic = z.infer<typeof ourMusic>;

/**
 * 'none': nothing is kept; the caller may ask from `askFrom` on. 'asked': the other person has not answered yet. 'asks': they
 * ask the caller.
 */
export const musicState = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('none'), askFrom: z.number(), forgottenBy: z.enum(['me', 'them']).nullable() }),
  z.strictObject({ status: z.literal('asked') }),
  z.strictObject({ status: z.literal('asks') }),
  z.strictObject({ status: z.literal('kept'), music: ourMusic }),
]);
export type MusicState = z.infer<typeof musicState>;

export const ourYear = z.strictObject({
  ...heardIn,
  longest: musicEvening.nullable(),
  /** Of the longest evening, in their order. */
  longestTracks: z.array(track).max(limits.musicTracks),
  /** Tracks that the two heard for the first time when the one, or the other, put them on. */
  found: z.strictObject({ mine: count, theirs: count }),
});
export type OurYear = z.infer<typeof ourYear>;

const blendedTrack = track.extend({
  /** Who heard it in the last 90 days. */
  of: z.enum(['both', 'mine', 'theirs']),
  /** When the last of them did. */
  at: z.number(),
});
export type BlendedTrack = z.infer<typeof blendedTrack>;

export const musicRequests = {
  /** `ago`: the day a year ago, in the reader's zone. */
  'music/pair': request({
    may: 'read what they heard together with a tunemate or their soulmate, while both keep it',
    needs: { person: 'known' },
    limit: 'browsing',
    payload: z.strictObject({ ...person, ago: span }),
    value: musicState,
  }),
  /**
   * Asks the other person, or answers them; with `keeps` false declines, takes the question back, or ends it, which deletes
   * all of it for both. 'history-off': the caller keeps no history of their own. 'too-soon': the other declined lately.
   */
  'music/keep': request({
    may: 'ask a tunemate or their soulmate to keep what they hear together, answer that, or end it for both',
    needs: { person: 'known' },
    limit: 'reactions',
    payload: z.strictObject({ ...person, keeps: z.boolean() }),
    value: z.strictObject({ outcome: z.enum(['done', 'history-off', 'too-soon']) }),
  }),
  /** Deletes what was kept up to now, for both. */
  'music/forget': request({
    may: 'delete what they heard together with a person, for both',
    needs: { person: 'known' },
    limit: 'reactions',
    payload: z.strictObject(person),
    value: nothing,
  }),
  'music/year': request({
    may: 'read what they heard together in a year, while both keep it',
    needs: { person: 'known' },
    limit: 'browsing',
    payload: z.strictObject({ ...person, year: span }),
    value: ourYear,
  }),
  /** Another `seed` makes another one. */
  'music/blend': request({
    may: 'read a blend of what they and the other person heard in the last 90 days, while both keep what they hear together',
    needs: { person: 'known' },
    limit: 'browsing',
    payload: z.strictObject({ ...person, seed: z.number().int().min(1).max(1_000_000) }),
    value: z.strictObject({ tracks: z.array(blendedTrack).max(limits.musicTracks) }),
  }),
} as const;

/** What is stored of a track that was heard together. */
export const storedHeard = namedTrack.pick({ videoId: true, title: true, durationSeconds: true });
export type StoredHeard = z.infer<typeof storedHeard>;

/** What is stored of a track that a room plays; `writers`: who may have typed its title, which the server knows otherwise. */
export const storedPlayed = storedHeard.extend({ writers: z.array(uid).optional() });
export type StoredPlayed = z.infer<typeof storedPlayed>;
