/** The position slider. Shows the position of the pointer while dragging and commits once on release; keys move 5 s. */
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react';
import styles from './SeekBar.module.css';
import { t } from '../../language/t.ts';

/** Positions in seconds. */
interface SeekBarProps {
  label: string;
  /** What has the position: what was begun on another goes nowhere. */
  of: string | null;
  positionSeconds: number;
  /** 0 or less means unknown: the bar is drawn empty and disabled. */
  durationSeconds: number;
  /** Words for a position, such as `00:01:47`. */
  formatTime: (seconds: number) => string;
  /** Prints the two times at the ends. */
  showTimes?: boolean | undefined;
  /** How loud the track is, part by part, in place of the plain bar: a path of bars, 2 high and 1 wide for each. */
  shape?: { path: string; count: number } | null | undefined;
  /** No needle and no pointer. */
  disabled?: boolean | undefined;
  /** The chosen position: on release, and on every key. */
  onCommit?: ((seconds: number) => void) | undefined;
}

/** Key presses within this time add up: the position that the first one sets takes a moment to come back. */
const pressesAddUpMs = 1500;
/** The `change` of a release has come by then. */
const afterChangeMs = 100;

export function SeekBar(props: SeekBarProps) {
  const { label, of, positionSeconds, durationSeconds, formatTime, showTimes, shape, disabled, onCommit } = props;
  const input = useRef<HTMLInputElement>(null);
  const [scrubSeconds, setScrubSeconds] = useState<number | null>(null);
  const end = Math.max(0, durationSeconds);
  const isLocked = disabled === true || end === 0;
  // A bar that is locked in the middle of a drag gets no release.
  if (isLocked && scrubSeconds !== null) setScrubSeconds(null);
  const shown = Math.min(end, Math.max(0, scrubSeconds ?? positionSeconds));

  /** What the pointer was pressed on: in the middle of a drag the next one can begin. */
  const held = useRef<string | null>(null);
  /** The next press begins before the one before it has ended. */
  const ending = useRef<ReturnType<typeof setTimeout>>(undefined);
  const commit = useEffectEvent((seconds: number) => {
    setScrubSeconds(null);
    if (!isLocked && (held.current ?? of) === of) onCommit?.(seconds);
    held.current = null;
  });
  useEffect(() => {
    // React's onChange is the browser's `input`; only the native `change` says the drag is over.
    const element = input.current;
    if (element === null) return undefined;
    const onRelease = () => commit(element.valueAsNumber);
    element.addEventListener('change', onRelease);
    return () => element.removeEventListener('change', onRelease);
  }, []);

  const onKeyDown = useSeekKeys(of, shown, end, isLocked ? undefined : onCommit);

  const bar = (
    <input
      ref={input}
      type="range"
      dir="ltr"
      className={styles.range}
      style={{ '--played': end === 0 ? 0 : shown / end }}
      min={0}
      max={end}
      step="any"
      value={shown}
      disabled={isLocked}
      aria-label={label}
      aria-valuetext={t`${formatTime(shown)} of ${formatTime(end)}`}
      onPointerDown={() => {
        held.current = of;
        clearTimeout(ending.current);
      }}
      // A drag back to where it began has no `change`.
      onPointerUp={() => void (ending.current = setTimeout(setScrubSeconds, afterChangeMs, null))}
      onChange={(event) => setScrubSeconds(event.target.valueAsNumber)}
      onKeyDown={onKeyDown}
    />
  );
  if (shape && !showTimes) {
    return (
      <span className={styles.wave} style={{ '--played': end === 0 ? 0 : shown / end }} dir="ltr">
        {bar}
        <svg viewBox={`0 0 ${shape.count} 2`} preserveAspectRatio="none" aria-hidden="true">
          <path d={shape.path} />
        </svg>
        <svg viewBox={`0 0 ${shape.count} 2`} preserveAspectRatio="none" aria-hidden="true">
          <path d={shape.path} />
        </svg>
      </span>
    );
  }
  if (!showTimes) return bar;
  return (
    <div className={styles.line} dir="ltr">
      <span className={styles.time}>{formatTime(shown)}</span>
      {bar}
      <span className={styles.time}>{formatTime(end)}</span>
    </div>
  );
}

/** Seeks by keys; without `onCommit` none does. */
function useSeekKeys(of: string | null, shown: number, end: number, onCommit: SeekBarProps['onCommit']) {
  const lastPress = useRef({ of, atMs: Number.NEGATIVE_INFINITY, seconds: 0 });
  return (event: KeyboardEvent): void => {
    const isFollowUp = lastPress.current.of === of && event.timeStamp - lastPress.current.atMs < pressesAddUpMs;
    const target = seekTarget(event.key, isFollowUp ? lastPress.current.seconds : shown, end);
    if (target === null || onCommit === undefined) return;
    event.preventDefault();
    lastPress.current = { of, atMs: event.timeStamp, seconds: target };
    onCommit(target);
  };
}

/** The new position after a key press on the seek bar. */

const arrowSeconds = 5;
const pageSeconds = 30;

const steps: ReadonlyMap<string, number> = new Map([
  ['ArrowRight', arrowSeconds],
  ['ArrowUp', arrowSeconds],
  ['ArrowLeft', -arrowSeconds],
  ['ArrowDown', -arrowSeconds],
  ['PageUp', pageSeconds],
  ['PageDown', -pageSeconds],
  ['Home', -Infinity],
  ['End', Infinity],
]);

/** The position in seconds after a key press, kept within the track; null for keys that do not seek. */
export function seekTarget(key: string, fromSeconds: number, durationSeconds: number): number | null {
  const step = steps.get(key);
  return step === undefined ? null : Math.min(durationSeconds, Math.max(0, fromSeconds + step));
}
