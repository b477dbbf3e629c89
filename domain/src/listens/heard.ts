/**
 * When a track counts as heard: once the room has played half of it, or four minutes, while the person listened. The
 * room's timeline says how far the music went; looks at it are some seconds apart.
 */

/** What is known of a person's track. Times are server time in ms. */
export interface Heard {
  /** `audio:` or `video:` and the room's id. */
  readonly room: string;
  readonly trackId: string;
  readonly begunAtMs: number;
  /** Of music, not of time. */
  readonly heardMs: number;
  /** Where the room was when it was last looked at. */
  readonly positionSeconds: number;
  readonly seenAtMs: number;
  /** It counted already. */
  readonly isCounted: boolean;
}

export interface Look {
  readonly room: string;
  readonly trackId: string;
  readonly positionSeconds: number;
  /** Null when it is unknown. */
  readonly durationSeconds: number | null;
  readonly nowMs: number;
  /** Since when the person's player has been in step. */
  readonly hearsSinceMs: number;
}

export interface AfterLook {
  readonly heard: Heard;
  /** The track begins for this person. */
  readonly isNew: boolean;
  /** It counts from this look on. */
  readonly counts: boolean;
}

const enoughMs = 4 * 60_000;
/** How often the server looks at what people hear. */
export const lookEveryMs = 5000;
/** Between two looks that are further apart the person was away. */
const mostBetweenMs = 4 * lookEveryMs;
/** A person in two rooms hears the first one until it was left for so long. */
const otherRoomAfterMs = 3 * lookEveryMs;
/** After this the same track is another listen, of one person and of two together. */
export const anewAfterMs = 30 * 60_000;
/** A track that counted and is here again has begun anew. */
export const beginningSeconds = 20;

/** Null where the look changes nothing: the person hears another room. */
export function noteLook(before: Heard | null, look: Look): AfterLook | null {
  const sinceMs = before === null ? Infinity : look.nowMs - before.seenAtMs;
  // Apart in either direction: a clock that was set back would hold a person to the room of before.
  if (before !== null && before.room !== look.room && Math.abs(sinceMs) < otherRoomAfterMs) return null;
  const isNew = before === null || isOther(before, look, sinceMs);
  const begun = isNew
    ? beginning(before, look, sinceMs)
    : { ...before, heardMs: before.heardMs + playedMs(before, look, sinceMs) };
  const counts = !begun.isCounted && begun.heardMs >= neededMs(look.durationSeconds);
  const { room, trackId, positionSeconds, nowMs } = look;
  const heard = {
    ...{ room, trackId, positionSeconds, seenAtMs: nowMs },
    ...{ begunAtMs: begun.begunAtMs, heardMs: begun.heardMs, isCounted: begun.isCounted || counts },
  };
  return { heard, isNew, counts };
}

/** Between two looks a track may have begun: it was heard from there on, by a person who was there. */
function beginning(before: Heard | null, look: Look, sinceMs: number) {
  const sinceLookMs = before?.room === look.room ? sinceMs : Infinity;
  const playedForMs = Math.round(look.positionSeconds * 1000);
  const heardMs = Math.max(0, Math.min(playedForMs, look.nowMs - look.hearsSinceMs, sinceLookMs, mostBetweenMs));
  return { begunAtMs: look.nowMs - heardMs, heardMs, isCounted: false };
}

function isOther(before: Heard, { room, trackId, positionSeconds }: Look, sinceMs: number): boolean {
  if (before.room !== room || before.trackId !== trackId || sinceMs > anewAfterMs) return true;
  return before.isCounted && positionSeconds < before.positionSeconds && positionSeconds < beginningSeconds;
}

/** A seek plays nothing, and a pause neither. */
function playedMs(before: Heard, { positionSeconds }: Look, sinceMs: number): number {
  if (sinceMs > mostBetweenMs) return 0;
  const advancedMs = Math.round((positionSeconds - before.positionSeconds) * 1000);
  return Math.max(0, Math.min(advancedMs, sinceMs));
}

function neededMs(durationSeconds: number | null): number {
  return durationSeconds === null ? enoughMs : Math.min(enoughMs, (durationSeconds * 1000) / 2);
}

/** What a listen says of a track. */
export interface ListenedTrack {
  readonly artist: string;
  readonly title: string;
  readonly album: string | null;
}

/** `(Official Video)`, `[HD]` and the like. */
const ornament = /\s*[([][^()[\]]*\b(?:official|video|audio|lyrics?|visuali[sz]er|hd|hq|4k)\b[^()[\]]*[)\]]\s*$/iu;

/** `Artist - Title`, as musicians name videos; null for a title that does not say so plainly. */
export function readArtistAndTitle(videoTitle: string): ListenedTrack | null {
  let bare = videoTitle.trim();
  while (ornament.test(bare)) bare = bare.replace(ornament, '');
  const [artist = '', title = '', ...more] = bare.split(/\s+[-–—]\s+/u).map((part) => part.trim());
  return artist === '' || title === '' || more.length > 0 ? null : { artist, title, album: null };
}
