/**
 * What of a film this browser leaves out without an error: the picture or the sound, where it lacks the decoder. The
 * server names the codecs of a film, the element shows what became of them.
 */

/** MIME types with a codec; null for a film without that part. */
export interface FilmStreams {
  readonly picture: string | null;
  readonly sound: string | null;
}

/** 'mute': the film itself has no sound. */
export type Lack = 'picture' | 'sound' | 'mute';

const haveMetadata = 1;
/** A decoder that exists has decoded something after this long. */
const decodedBySeconds = 2;

/** What only some browsers know of an element. */
interface Decoded {
  readonly mozHasAudio?: boolean;
  readonly webkitAudioDecodedByteCount?: number;
}

type Media = Pick<HTMLMediaElement, 'readyState' | 'currentTime' | 'canPlayType'> &
  Decoded & {
    /** Of an element that shows pictures. */
    readonly videoWidth?: number;
  };

/** Null for nothing, for a track, and until the element knows. `film` is null while nothing is known of the file. */
export function lackOf(media: Media, film: FilmStreams | null): Lack | null {
  if (film === null || media.readyState < haveMetadata) return null;
  // An element for sound alone never shows a picture.
  if (film.picture !== null && media.videoWidth === 0) return 'picture';
  if (film.sound === null) return 'mute';
  return media.canPlayType(film.sound) === '' || hasDecodedNoSound(media) ? 'sound' : null;
}

const hasDecodedNoSound = ({ currentTime, mozHasAudio, webkitAudioDecodedByteCount }: Media): boolean =>
  mozHasAudio === false || (currentTime > decodedBySeconds && webkitAudioDecodedByteCount === 0);

const part = (header: string | null): string | null => (header === 'none' ? null : header);

/** What the server's answer says of a film; null of a track. */
export function filmOf(headers: Pick<Headers, 'get'>): FilmStreams | null {
  const [picture, sound] = [headers.get('x-film-picture'), headers.get('x-film-sound')];
  return picture === null && sound === null ? null : { picture: part(picture), sound: part(sound) };
}
