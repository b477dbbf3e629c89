/**
 * The words of a track: 'Cover' and 'Words' beside the cover where a track has some, and the lines, of which the current
 * one is large.
 */
import { isLibraryId, type Lyrics as Words, type Result, type VideoId } from '@tunemate/protocol';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { asking } from '../../store/asking.ts';
import { useReadable } from '../../store/use-readable.ts';
import { sentenceOf } from '../../words/errors.ts';
import { WaitingLine } from '../../ui/feedback/Waiting.tsx';
import { Button } from '../../ui/buttons/Button.tsx';
import { keyboardScroll } from '../../ui/keyboard-scroll.ts';
import { Segments } from '../deck/PlayerControls.tsx';
import type { PlaybackModel } from '../playback-model.ts';
import { mayPress } from '../playback-view.ts';
import { t } from '../../language/t.ts';
import styles from './Lyrics.module.css';

export interface LyricsProps {
  model: PlaybackModel;
  ask: (track: VideoId, signal: AbortSignal) => Promise<Result<{ lyrics: Words | null }>>;
  isOpen: boolean;
  onToggle: () => void;
}

export function Lyrics({ model, ask, isOpen, onToggle }: LyricsProps) {
  const { track } = useReadable(model.view).playing;
  const videoId = track?.videoId ?? null;
  const [found, setFound] = useState<{ of: VideoId; answer: Result<{ lyrics: Words | null }> } | null>(null);
  useEffect(() => {
    if (videoId === null || !isLibraryId(videoId)) return undefined;
    return asking(
      (signal) => ask(videoId, signal),
      (answer) => setFound({ of: videoId, answer }),
    );
  }, [videoId, ask]);
  const answer = found?.of === videoId ? found.answer : null;
  const lyrics = answer?.ok === true ? answer.value.lyrics : null;
  const isAsked = videoId !== null && isLibraryId(videoId) && answer === null;
  const refusal = answer?.ok === false ? sentenceOf(answer.error) : t`This track has no words to show.`;
  if (lyrics === null && !isOpen) return null;
  return (
    <>
      <Segments
        legend={t`Cover or words`}
        chosen={isOpen ? 'words' : 'cover'}
        onChoose={(chosen) => (chosen === 'words') !== isOpen && onToggle()}
        segments={[
          { value: 'cover', name: t`Cover` },
          { value: 'words', name: t`Words` },
        ]}
      />
      {isOpen && (
        <section className={styles.words} aria-label={t`Words of this track`}>
          {lyrics === null && <p className={styles.none}>{isAsked ? <WaitingLine /> : refusal}</p>}
          {lyrics?.type === 'plain' && <PlainLines lines={lyrics.lines} />}
          {lyrics?.type === 'timed' && <TimedLines key={videoId} model={model} lines={lyrics.lines} />}
        </section>
      )}
    </>
  );
}

function PlainLines({ lines }: { lines: readonly string[] }) {
  return (
    <div className={styles.lines} {...keyboardScroll}>
      <p className={styles.note}>{t`These words have no times: they don’t follow the music.`}</p>
      {lines.map((text, at) => (
        <p key={at} className={styles.plain} dir="auto">
          {text}
        </p>
      ))}
    </div>
  );
}

interface TimedLinesProps {
  model: PlaybackModel;
  lines: Extract<Words, { type: 'timed' }>['lines'];
}

function TimedLines({ model, lines }: TimedLinesProps) {
  const list = useRef<HTMLOListElement>(null);
  const line = useCurrentLine(model, lines);
  const maySeek = mayPress(useReadable(model.view));
  const lastSung = lines.findLastIndex(({ text }, at) => text !== '' && at <= line);
  const stop = Math.max(
    lastSung,
    lines.findIndex(({ text }) => text !== ''),
  );
  const [isByHand, setIsByHand] = useState(false);
  useCentredLine(list, line, isByHand, setIsByHand);
  return (
    <div style={holderStyle}>
      <ol ref={list} className={styles.lines} {...(!maySeek && keyboardScroll)}>
        {lines.map(({ atSeconds, text }, at) => (
          <li key={at} className={styles.line} aria-current={at === line || undefined} dir="auto">
            {maySeek && text !== '' ? (
              // One stop of the Tab key; the arrows lead on.
              <button
                type="button"
                tabIndex={at === stop ? 0 : -1}
                onClick={() => {
                  setIsByHand(false);
                  model.host.seek(atSeconds);
                }}
              >
                {text}
              </button>
            ) : (
              text || <span aria-hidden="true">♪</span>
            )}
          </li>
        ))}
      </ol>
      {isByHand && (
        <Button small style={followStyle} onClick={() => setIsByHand(false)}>
          {t`Follow the song`}
        </Button>
      )}
    </div>
  );
}

const holderStyle = { position: 'relative' } as const;
const followStyle = {
  position: 'absolute',
  right: 0,
  bottom: '12px',
  left: 0,
  width: 'fit-content',
  margin: 'auto',
} as const;

/** The arrows lead from line to line, where lines are buttons. */
function moveFocus(box: HTMLElement, event: KeyboardEvent): void {
  const buttons = Array.from(box.querySelectorAll('button'));
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || buttons.length === 0) return;
  event.preventDefault();
  event.stopPropagation();
  buttons[buttons.findIndex((each) => each === event.target) + step]?.focus();
}

/** Keeps the current line in the middle of the list, unless a person has moved it or goes through it by keys. */
function useCentredLine(
  list: RefObject<HTMLOListElement | null>,
  line: number,
  isByHand: boolean,
  onHand: (isByHand: true) => void,
): void {
  useEffect(() => {
    const box = list.current;
    if (box === null) return undefined;
    const ending = new AbortController();
    for (const name of ['wheel', 'touchmove']) {
      box.addEventListener(name, () => onHand(true), { signal: ending.signal, passive: true });
    }
    const onKey = (event: KeyboardEvent): void => {
      if (movingKeys.has(event.key)) onHand(true);
      moveFocus(box, event);
    };
    box.addEventListener('keydown', onKey, ending);
    return () => ending.abort();
  }, [list, onHand]);
  useEffect(() => {
    const box = list.current;
    const current = box?.children[Math.max(0, line)];
    if (box === null || !(current instanceof HTMLElement) || isByHand) return;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const top = current.offsetTop - (box.clientHeight - current.offsetHeight) / 2;
    box.scrollTo({ top, behavior: isStill ? 'instant' : 'smooth' });
  }, [list, line, isByHand]);
}

const movingKeys = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']);

// Which line of a track is sung now, by the room's clock, and when the next one is. Nothing here asks a player.

/** In the order of their times; seconds from the beginning of the track. */
type Times = readonly { readonly atSeconds: number }[];

/** -1 before the first line. */
export function lineAt(lines: Times, seconds: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.atSeconds ?? Number.POSITIVE_INFINITY) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The room's clock may have been corrected meanwhile. */
const longestWaitMs = 1000;
/** Timers are at times a little early. */
const spareMs = 1;

/** How long the line lasts, in milliseconds. */
export function lineLastsMs(lines: Times, line: number, seconds: number): number {
  const next = lines[line + 1]?.atSeconds ?? Number.POSITIVE_INFINITY;
  // No number where the position is none.
  return Math.min(longestWaitMs, Math.max(0, (next - seconds) * 1000) + spareMs) || longestWaitMs;
}

/** The line that the room is at. Every device changes it at the same moment, whatever its own player does. */
function useCurrentLine(model: Pick<PlaybackModel, 'positionSeconds' | 'view'>, lines: Times): number {
  const [line, setLine] = useState(() => lineAt(lines, model.positionSeconds()));
  useEffect(() => {
    let timer = 0;
    const read = (): void => {
      const seconds = model.positionSeconds();
      const now = lineAt(lines, seconds);
      setLine(now);
      clearTimeout(timer);
      timer = window.setTimeout(read, lineLastsMs(lines, now, seconds));
    };
    read();
    const stop = model.view.subscribe(read);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [model, lines]);
  return line;
}
