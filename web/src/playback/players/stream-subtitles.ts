/**
 * Subtitles inside of a stream: which there are, and the cues of the one that is chosen. Nothing is fetched before. The
 * browser draws none of them: the page does, as those of files.
 */
import Hls, { type CuesParsedData } from 'hls.js';
import { cell, type Readable } from '../../store/cell.ts';
import type { Subtitles } from '../subtitles.ts';

export interface StreamSubtitles {
  readonly all: Readable<readonly Subtitles[]>;
  /** Fetches these, or none. Their cues are in the track that it returns. */
  choose(id: string | null): TextTrack | null;
}

/** Another server writes the list. */
const mostListed = 50;
const longestName = 60;
/** Of one list. A film has some thousands. */
const mostCues = 5000;

interface Named {
  language: string;
  name: string;
}

/** The name that a stream gives is shown where its language says too little. */
function listed(named: readonly Named[]): Subtitles[] {
  const shown = named.slice(0, mostListed).map(({ language, name }) => ({
    language: language.slice(0, longestName) || null,
    name: name.slice(0, longestName),
  }));
  return shown.map(({ language, name }, at) => {
    const isAlone = language !== null && shown.filter((other) => other.language === language).length === 1;
    return { id: String(at), language, label: isAlone || name === '' ? null : name };
  });
}

/** A track can't be taken out of an element again, so each element has one for all of its streams. */
const tracks = new WeakMap<HTMLMediaElement, TextTrack>();

/** Of this kind browsers draw nothing. */
const undrawn = 'metadata';

function emptyTrackOf(element: HTMLMediaElement): TextTrack {
  const track = tracks.get(element) ?? element.addTextTrack(undrawn);
  tracks.set(element, track);
  // Only then has it cues.
  track.mode = 'hidden';
  for (const cue of Array.from(track.cues ?? [])) track.removeCue(cue);
  return track;
}

/** Browsers compare each cue with all that are shown, so of many they look at them once. */
function addAll(track: TextTrack, cues: readonly VTTCue[]): void {
  const areMany = cues.length > 50;
  if (areMany) track.mode = 'disabled';
  for (const cue of cues) track.addCue(cue);
  if (areMany) track.mode = 'hidden';
}

/** For a stream that hls.js plays without drawing its subtitles. */
export function subtitlesByHls(hls: Hls, element: HTMLMediaElement): StreamSubtitles {
  const all = cell<readonly Subtitles[]>([]);
  /** hls.js fetches no piece twice, so they are kept. */
  const cues = new Map<object, Map<string, VTTCue>>();
  let lists: readonly object[] = [];
  let chosen: { list: object; track: TextTrack } | null = null;
  let isEnded = false;
  hls.on(Hls.Events.DESTROYING, () => {
    isEnded = true;
  });
  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    // Else it fetches those that the stream calls usual.
    hls.subtitleTrack = -1;
  });
  hls.on(Hls.Events.SUBTITLE_TRACKS_UPDATED, (_, { subtitleTracks }) => {
    lists = subtitleTracks;
    all.set(listed(subtitleTracks.map(({ lang = '', name }) => ({ language: lang, name }))));
  });
  hls.on(Hls.Events.CUES_PARSED, (_, { subtitleTrack: list, cues: found }: CuesParsedData) => {
    if (list === undefined) return;
    const known = cues.get(list) ?? new Map<string, VTTCue>();
    cues.set(list, known);
    const added: VTTCue[] = [];
    for (const cue of found as readonly VTTCue[]) {
      const key = [cue.startTime, cue.endTime, cue.text].join('\n');
      // A piece of the stream may come twice after all.
      if (known.has(key) || known.size >= mostCues) continue;
      known.set(key, cue);
      added.push(cue);
    }
    if (chosen?.list === list) addAll(chosen.track, added);
  });
  return {
    all,
    choose(id) {
      // Its element plays another one by now.
      if (isEnded) return null;
      const at = id === null ? -1 : Number(id);
      const track = emptyTrackOf(element);
      const list = lists[at];
      chosen = list === undefined ? null : { list, track };
      if (list !== undefined) addAll(track, [...(cues.get(list)?.values() ?? [])]);
      hls.subtitleTrack = chosen === null ? -1 : at;
      return chosen && track;
    },
  };
}

/** For a stream that the browser itself plays. */
export function subtitlesOfElement(element: HTMLMediaElement, signal: AbortSignal): StreamSubtitles {
  const all = cell<readonly Subtitles[]>([]);
  let chosen: TextTrack | null = null;
  const inside = () => Array.from(element.textTracks).filter(({ kind }) => kind === 'subtitles' || kind === 'captions');
  const apply = (): void => {
    for (const track of inside()) {
      const mode = track === chosen ? 'hidden' : 'disabled';
      if (track.mode !== mode) track.mode = mode;
    }
  };
  const list = (): void => {
    all.set(listed(inside().map(({ language, label }) => ({ language, name: label }))));
    // Browsers begin with those that the stream, or the device, calls usual. What the user chooses later in the
    // browser's own player stays.
    apply();
  };
  for (const name of ['addtrack', 'removetrack']) element.textTracks.addEventListener(name, list, { signal });
  list();
  return {
    all,
    choose(id) {
      if (signal.aborted) return null;
      chosen = id === null ? null : (inside()[Number(id)] ?? null);
      apply();
      return chosen;
    },
  };
}
