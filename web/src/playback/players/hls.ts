/**
 * Plays an HLS stream in a media element: by hls.js where the browser has Media Source Extensions, by the element itself
 * elsewhere (iPhones). Fetched with the first such stream. A live stream has no position that a room could share.
 */
import type { PlayerErrorCode } from '@tunemate/playback';
import Hls, { type ErrorData, ErrorDetails, ErrorTypes, type Fragment } from 'hls.js';
import { subtitlesIn } from './current-stream.ts';
import { isRefusedForGood } from './media-element.ts';
import { subtitlesByHls, subtitlesOfElement } from './stream-subtitles.ts';

/**
 * Its worker would come from a blob, and its lists of cues from data: the page's policy forbids both. The part for
 * advertisements in a stream plays what it saw play before a reset of the decoder, the muted warm-up of a cued one too.
 */
const config = { enableWorker: false, renderTextTracksNatively: false, enableInterstitialPlayback: false };

/** Begins to load; the returned function ends it and empties the element. `onFailed` is called once at most. `isToPlay`: the last command was to play. */
export function attachHls(
  element: HTMLMediaElement,
  url: string,
  onFailed: (code: PlayerErrorCode) => void,
  isToPlay: () => boolean,
): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const hls = Hls.isSupported() ? new Hls(config) : null;
  const subtitles = subtitlesIn(element);
  const end = (): void => {
    subtitles.get()?.choose(null);
    subtitles.set(null);
    ending.abort();
    hls?.destroy();
  };
  const fail = (code: PlayerErrorCode): void => {
    if (signal.aborted) return;
    end();
    onFailed(code);
  };
  element.addEventListener('durationchange', () => element.duration === Infinity && fail('live'), { signal });
  if (hls === null) {
    subtitles.set(subtitlesOfElement(element, signal));
    element.src = url;
    return end;
  }
  hls.on(Hls.Events.LEVEL_LOADED, (_, { details }) => details.live && fail('live'));
  const goesOn = healing(hls, element, isToPlay);
  hls.on(Hls.Events.ERROR, (_, data) => void (goesOn(data) || fail(codeOf(data))));
  // A decoder that meets damage says so nowhere else.
  element.addEventListener('error', () => element.error && !goesOn(null) && fail('unsupported'), { signal });
  subtitles.set(subtitlesByHls(hls, element));
  hls.loadSource(url);
  hls.attachMedia(element);
  return end;
}

const isGone = ({ response }: ErrorData): boolean => isRefusedForGood(response?.code ?? 0);

function codeOf(data: ErrorData): PlayerErrorCode {
  if (data.type !== ErrorTypes.NETWORK_ERROR) return 'unsupported';
  return isGone(data) ? 'not-found' : 'network';
}

/** What is said of a piece that could not be read; others are of the stream, or of a wait. */
const ofPieces: ReadonlySet<ErrorDetails> = new Set([
  ErrorDetails.FRAG_PARSING_ERROR,
  ErrorDetails.FRAG_DECRYPT_ERROR,
  ErrorDetails.BUFFER_APPEND_ERROR,
  ErrorDetails.MEDIA_SOURCE_REQUIRES_RESET,
]);
/** A piece is fetched so often; what was fetched before it was left out may fail as often again. */
const mostTries = 2;
/** A player that stands so near to the end of a piece waits for the next. */
const nearSeconds = 0.1;
/** With so many pieces in a row that are damaged or gone, the stream is. */
const mostInARow = 3;

/**
 * Leaves a piece that is damaged or gone out, as if the list of the stream had named it as a gap: each page plays on
 * behind it. The returned function is given what has failed, or null for the decoder; it answers false where that ends the
 * stream.
 */
function healing(hls: Hls, element: HTMLMediaElement, isToPlay: () => boolean) {
  const tries = new Map<string, number>();
  const leftOut = new Set<string>();
  // An element that is given its stream anew pauses without a word.
  hls.on(Hls.Events.MEDIA_ATTACHED, () => void (isToPlay() && element.play().catch(() => undefined)));

  const pieces = (): readonly Fragment[] => hls.latestLevelDetails?.fragments ?? [];
  const piecesFromNow = (aheadSeconds = 0): readonly Fragment[] =>
    pieces().filter(({ end }) => element.currentTime + aheadSeconds < end);
  const isLeftOut = (type: string, number: number): boolean => leftOut.has(`${type} ${String(number)}`);
  function leaveOut(piece: Fragment): boolean {
    const { type, sn } = piece;
    if (sn === 'initSegment') return false;
    piece.tagList.push(['GAP']);
    piece.gap = true;
    leftOut.add(`${type} ${String(sn)}`);
    const level = hls.levels[piece.level];
    if (level) level.fragmentError = 0;
    let [first, last] = [sn, sn];
    while (isLeftOut(type, first - 1)) first -= 1;
    while (isLeftOut(type, last + 1)) last += 1;
    return last - first + 1 < Math.min(mostInARow, pieces().length);
  }

  /** hls.js takes a piece that did not go in for a gap and keeps it one: behind a decoder that failed it waits for ever. */
  function recover(): void {
    for (const piece of pieces()) piece.gap = piece.tagList.some(([name]) => name === 'GAP');
    hls.recoverMediaError();
  }

  /** hls.js waits for ever at a gap at which it begins. */
  function beginBehind(): void {
    const [now, ...later] = piecesFromNow();
    if (now === undefined || !isLeftOut(now.type, Number(now.sn))) return;
    const next = later.find(({ type, sn }) => !isLeftOut(type, Number(sn)));
    if (next) hls.startLoad(next.start);
  }

  return (data: ErrorData | null): boolean => {
    // Of a decoder that has failed the element says so itself.
    if (element.error && data?.details === ErrorDetails.MEDIA_SOURCE_REQUIRES_RESET) return true;
    const isLost = data?.details === ErrorDetails.FRAG_LOAD_ERROR && isGone(data);
    const isStalled = data?.details === ErrorDetails.BUFFER_STALLED_ERROR;
    const [here] = piecesFromNow(isStalled ? nearSeconds : 0);
    // Nothing comes any more where hls.js has made a gap.
    const isAtGap = here?.gap === true && !isLeftOut(here.type, Number(here.sn));
    const isStuck = isStalled && (data.fatal || isAtGap);
    const isDamaged = data === null || isStuck || ofPieces.has(data.details);
    const piece = data?.frag ?? here;
    if (piece === undefined || (!isLost && !isDamaged)) return data !== null && !data.fatal;
    const key = `${piece.type} ${String(piece.level)} ${String(piece.sn)}`;
    const tried = (tries.get(key) ?? 0) + 1;
    tries.set(key, tried);
    if (tried > 2 * mostTries || (tried === mostTries && !leaveOut(piece))) return false;
    if (data === null || isStuck || (data.fatal && !isLost)) recover();
    else if (data.fatal) hls.startLoad(element.currentTime);
    if (tried >= mostTries) beginBehind();
    return true;
  };
}
