/**
 * The controls of a room's player. Below a picture on a wide stage two lines: title and buttons for the picture; transport
 * buttons, seek bar, sound and view. Stacked on a narrow one, where the sound is one button. In an audio room a large
 * sleeve beside title, level bar and controls.
 */
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useReadable } from '../../store/use-readable.ts';
import { useSlowReadable } from '../../store/use-slow-readable.ts';
import { DeckButton, DeckButtons } from '../../ui/deck/DeckButtons.tsx';
import { HeadphonesIcon, ScreenIcon } from '../../ui/icons/icons.tsx';
import { NextIcon, PauseIcon, PlayIcon, PreviousIcon } from '../../ui/icons/marks.tsx';
import type { PlaybackModel } from '../playback-model.ts';
import { playbackSentences } from '../playback-words.ts';
import { isShownPlaying, mayPress, type PlaybackView } from '../playback-view.ts';
import { t } from '../../language/t.ts';
import type { Readable } from '../../store/cell.ts';
import { SeekBar } from '../../ui/deck/SeekBar.tsx';
import { LevelBar } from './LevelBar.tsx';
import { barsOf } from './peaks.ts';
import styles from './PlayerControls.module.css';
import { classNames } from '../../ui/class-names.ts';
import { titleLines } from '../../ui/title-lines.ts';
import { keyboardScroll } from '../../ui/keyboard-scroll.ts';
import type { Elements } from '../../ui/OwnText.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';

/** The user’s choice of view. */
export type ViewMode = 'video' | 'audio-only';

export interface VideoControlsProps {
  model: PlaybackModel;
  progress: Readable<number>;
  formatTime: (seconds: number) => string;
  view: ViewMode;
  onView: (view: ViewMode) => void;
  /** Sync badge and buttons for the picture. */
  tools: ReactNode;
  /** Mute and volume. */
  sound: ReactNode;
}

export function VideoControls({ model, progress, formatTime, view, onView, tools, sound }: VideoControlsProps) {
  const now = useReadable(model.view);
  const hasButtons = mayPress(now) || now.control === 'free';
  return (
    <section className={styles.videoBox} aria-label={playbackSentences.player}>
      <div className={styles.video}>
        <div className={styles.videoTitle}>
          <Title now={now} />
        </div>
        {tools && <div className={styles.tools}>{tools}</div>}
        <div className={styles.seek}>
          <PlaybackSeekBar {...{ model, progress, formatTime }} showTimes />
        </div>
        {hasButtons && (
          <div className={styles.transport}>
            <Transport model={model} />
          </div>
        )}
        <div className={styles.sound}>{sound}</div>
        <div className={styles.view}>
          <ViewToggle view={view} onView={onView} />
        </div>
      </div>
    </section>
  );
}

function ViewToggle({ view, onView }: Pick<VideoControlsProps, 'view' | 'onView'>) {
  return (
    <Segments
      legend={t`View`}
      chosen={view}
      onChoose={onView}
      segments={[
        { value: 'video', name: t`Video view`, icon: <ScreenIcon /> },
        { value: 'audio-only', name: t`Audio only view`, icon: <HeadphonesIcon /> },
      ]}
    />
  );
}

interface SegmentsProps<Value extends string> {
  legend: string;
  /** An icon stands in place of the name, which is only read out then. */
  segments: readonly { value: Value; name: string; icon?: Elements }[];
  chosen: Value;
  onChoose: (value: Value) => void;
}

/** Exactly one of them is pressed. */
export function Segments<Value extends string>({ legend, segments, chosen, onChoose }: SegmentsProps<Value>) {
  return (
    <fieldset className={styles.toggle}>
      <legend>
        <VisuallyHidden>{legend}</VisuallyHidden>
      </legend>
      {segments.map(({ value, name, icon }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          aria-label={icon ? name : undefined}
          className={styles.segment}
          onClick={() => onChoose(value)}
        >
          {icon ?? name}
        </button>
      ))}
    </fieldset>
  );
}

interface SeekBarAtProps extends Pick<VideoControlsProps, 'model' | 'formatTime'> {
  positionSeconds: number;
  showTimes?: boolean | undefined;
  /** Of the current track; null where they are not known. */
  peaks?: string | null;
}

/** The room's position on a slider, which those move who may press. */
function PlaybackSeekBar({
  progress,
  ...props
}: Omit<SeekBarAtProps, 'positionSeconds'> & Pick<VideoControlsProps, 'progress'>) {
  return <SeekBarAt {...props} positionSeconds={useReadable(progress)} />;
}

function SeekBarAt({ model, formatTime, positionSeconds, showTimes, peaks = null }: SeekBarAtProps) {
  const shape = useMemo(() => peaks && barsOf(peaks), [peaks]);
  const { playing, control } = useReadable(model.view);
  const isLive = useIsLive(model);
  const canSeek = mayPress({ control }) && playing.track !== null;
  // A live stream has no length, and its positions mean nothing to users.
  if (isLive) return showTimes ? <LiveTag /> : null;
  return (
    <SeekBar
      label={canSeek ? t`Seek` : t`Position`}
      of={playing.timeline.trackKey}
      positionSeconds={positionSeconds}
      durationSeconds={playing.durationSeconds ?? 0}
      formatTime={formatTime}
      showTimes={showTimes}
      shape={shape || null}
      disabled={!canSeek}
      onCommit={(seconds) => model.host.seek(seconds)}
    />
  );
}

export const useIsLive = ({ follow }: PlaybackModel): boolean => useSlowReadable(follow, ({ isLive }) => isLive);

function LiveTag() {
  return (
    <p className={styles.live}>
      <strong>{playbackSentences.live}</strong>
      <span>{` ${t`Plays from now`}`}</span>
    </p>
  );
}

interface AudioPlayerProps extends Omit<VideoControlsProps, 'view' | 'onView' | 'tools'> {
  sleeve: Elements;
  /** Of the current track; null where they are not known. */
  peaks: string | null;
  /** The keys 'Cover' and 'Words', and the words. */
  words: Elements;
  /** What takes its place: on phones it is one strip then, and on wide screens a column beside. */
  beside: 'words' | 'library' | 'chat' | null;
}

const besideClass = { words: styles.besideWords, library: styles.besideLibrary, chat: styles.besideChat };

/** The player of an audio room: cover, title, level bar, seek, play, and this device's sound beside it. */
export function AudioPlayer({ sleeve, words, sound, beside, ...shown }: AudioPlayerProps) {
  const { model } = shown;
  const now = useReadable(model.view);
  return (
    <section
      className={classNames(styles.audioBox, beside !== null && besideClass[beside])}
      aria-label={playbackSentences.player}
      data-beside={beside}
    >
      <div className={styles.audio}>
        {sleeve}
        <div className={styles.audioDeck}>
          <Title now={now} />
          <AudioProgress {...shown} />
          <div className={styles.keys}>
            {(mayPress(now) || now.control === 'free') && <Transport model={model} hidesTurns />}
            <div className={styles.sound}>{sound}</div>
          </div>
        </div>
        {words}
      </div>
    </section>
  );
}

/** What each second changes: with one reading of the position, and nothing else of the player. */
function AudioProgress({
  model,
  progress,
  formatTime,
  peaks,
}: Pick<AudioPlayerProps, 'model' | 'progress' | 'formatTime' | 'peaks'>) {
  const now = useReadable(model.view);
  const positionSeconds = useReadable(progress);
  const share = positionSeconds / Math.max(1, now.playing.durationSeconds ?? 0);
  return (
    <>
      <LevelBar playing={isShownPlaying(now)} peaks={peaks} share={share} />
      <div className={styles.wave}>
        <SeekBarAt {...{ model, formatTime, positionSeconds, peaks }} />
      </div>
    </>
  );
}

/** A title, and below it who made it, where the library says so. */
function Title({ now }: { now: PlaybackView }) {
  const { title, track } = now.playing;
  const { name, artist } = titleLines(track?.videoId, title);
  return (
    <div className={styles.title} aria-live="polite" aria-atomic="true">
      {isShownPlaying(now) && <VisuallyHidden>{`${playbackSentences.nowPlaying}: `}</VisuallyHidden>}
      {/* Mounted again for another title, so that its width is measured and the animation starts from the beginning. */}
      <TitleLine key={name} text={name} />
      {artist !== null && (
        <p className={styles.artist} dir="auto">
          {artist}
        </p>
      )}
    </div>
  );
}

/**
 * A title on one line that travels once, and only when it does not fit: waits 2 s, passes in 16 s, rests. A pointer or
 * the focus on it holds it still. Screen readers always get the full text, and announce it when it changes.
 */
function TitleLine({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLSpanElement>(null);
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const boxElement = box.current;
    const wordsElement = words.current;
    if (boxElement === null || wordsElement === null) return undefined;
    const measure = () => setOverflows(wordsElement.getBoundingClientRect().width > boxElement.clientWidth + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(boxElement);
    observer.observe(wordsElement);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={box}
      className={classNames('name', styles.marquee, overflows && styles.overflows)}
      {...(overflows && keyboardScroll)}
    >
      {/* What passes behind it is drawn by the style: another element would have it announced a second time. */}
      <span className={styles.line} data-again={text}>
        <span ref={words} dir="auto">
          {text}
        </span>
      </span>
    </div>
  );
}

/** With `hidesTurns` Previous and Next are there only where they lead to another track. */
function Transport({ model, hidesTurns = false }: { model: PlaybackModel; hidesTurns?: boolean }) {
  const now = useReadable(model.view);
  const { track, queue, afterTrack } = now.playing;
  const isPlaying = isShownPlaying(now);
  const turns = track !== null && (queue.length > 1 || afterTrack === 'suggested');
  const isAlone = hidesTurns && !turns;
  const disabled = queue.length === 0;
  const play = (
    <DeckButton
      main
      solo={isAlone}
      label={isPlaying ? t`Pause` : t`Play`}
      icon={isPlaying ? <PauseIcon /> : <PlayIcon />}
      disabled={track === null}
      onClick={() => model.host.setPlaying(!isPlaying)}
    />
  );
  if (isAlone) return play;
  return (
    <DeckButtons label={t`Playback`}>
      <DeckButton
        disabled={disabled}
        label={t`Previous`}
        icon={<PreviousIcon />}
        onClick={() => model.host.previous()}
      />
      {play}
      <DeckButton disabled={disabled} label={t`Next`} icon={<NextIcon />} onClick={() => model.host.next()} />
    </DeckButtons>
  );
}
