/**
 * Names the codecs of a film as browsers are asked about them. Of what the container says only the family is known, so
 * each is named by the profile that most files of it have.
 */
import type { IFormat } from 'music-metadata';
import type { FilmStreams } from './library-item.ts';

/** By the names of MP4 and of Matroska in small letters. */
const codecs: Readonly<Record<string, string>> = {
  ...{ avc1: 'avc1.42E01E', avc3: 'avc3.42E01E', 'mpeg4/iso/avc': 'avc1.42E01E' },
  ...{ hvc1: 'hvc1.1.6.L93.B0', hev1: 'hev1.1.6.L93.B0', 'mpegh/iso/hevc': 'hvc1.1.6.L93.B0' },
  ...{ dvh1: 'dvh1.05.01', dvhe: 'dvhe.05.01', vvc1: 'vvc1.1.L51.CQA', mp4v: 'mp4v.20.9' },
  ...{ av01: 'av01.0.04M.08', av1: 'av01.0.04M.08', vp08: 'vp8', vp8: 'vp8', vp09: 'vp09.00.10.08', vp9: 'vp9' },
  ...{ 'mpeg-4/aac': 'mp4a.40.2', mp4a: 'mp4a.40.2', aac: 'mp4a.40.2', 'mpeg/l3': 'mp4a.6B', mp3: 'mp4a.6B' },
  ...{ 'ac-3': 'ac-3', ac3: 'ac-3', 'ec-3': 'ec-3', eac3: 'ec-3', 'ac-4': 'ac-4.02.01.00' },
  ...{ dts: 'dtsc', dtsc: 'dtsc', dtsh: 'dtsh', dtse: 'dtse', dtsl: 'dtsl', truehd: 'mlpa', mlpa: 'mlpa' },
  ...{ opus: 'opus', vorbis: 'vorbis', flac: 'flac', alac: 'alac' },
};
/** The others are asked about in MP4, whatever container they are in. */
const ofWebM = new Set(['vp8', 'vp9', 'opus', 'vorbis']);

/** The first stream of each kind is the one that plays. A stream of an unknown codec is named as the file does. */
export function streamsOf({ trackInfo, codec, hasVideo, hasAudio }: IFormat): FilmStreams {
  const picture = trackInfo.find(({ video, type }) => video !== undefined || type === videoTrack)?.codecName;
  const sound = trackInfo.find(({ audio, type }) => audio !== undefined || type === audioTrack)?.codecName;
  return {
    picture: hasVideo === true || picture !== undefined ? typeOf('video', picture ?? '') : null,
    sound: hasAudio === true || sound !== undefined ? typeOf('audio', sound ?? codec ?? '') : null,
  };
}

/** Matroska's numbers, which the tag reader uses for all containers. */
const [videoTrack, audioTrack] = [1, 2];

function typeOf(kind: 'video' | 'audio', name: string): string {
  const plain = name.replaceAll(/[^\w./-]/gu, '').toLowerCase();
  const codec = codecs[plain] ?? plain.replaceAll('/', '.');
  return codec === '' ? `${kind}/mp4` : `${kind}/${ofWebM.has(codec) ? 'webm' : 'mp4'}; codecs="${codec}"`;
}
