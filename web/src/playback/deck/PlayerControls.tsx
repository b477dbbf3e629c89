/**
 * The controls of a room's player. Below a picture on a wide stage two lines: title and buttons for the picture; transport
 * buttons, seek bar, sound and view. Stacked on a narrow one, where the sound is one button. In an audio room a large
 * sleeve beside title, status, level bar and controls.
 */
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useReadable, useSlowReadable } from '../../store/use-readable.ts';
import { DeckButton, DeckButtons } from '../../ui/deck/DeckButtons.tsx';
import { HeadphonesIcon, ScreenIcon } from '../../ui/icons/icons.tsx';
import { CrownIcon, NextIcon, PauseIcon, PlayIcon, PreviousIcon } from '../../ui/icons/marks.tsx';
import type { PlaybackModel } from '../playback-model.ts';
import { playbackSentences } from '../playback-words.ts';
import { isShownPlaying, mayPress, type PlaybackView } from '../playback-view.ts';
import { t } from '../../language/t.ts';
import { progressPollMs } from '@tunemate/playback';
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
  /** For guests. */
  hostNote: string;
  formatTime: (seconds: number) => string;
  view: ViewMode;
  onView: (view: ViewMode) => void;
  /** Sync badge and buttons for the picture. */
  tools: ReactNode;
  /** Mute and volume. */
  sound: ReactNode;
}

export function VideoControls({ model, hostNote, formatTime, view, onView, tools, sound }: VideoControlsProps) {
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
          <PlaybackSeekBar model={model} formatTime={formatTime} showTimes />
        </div>
        {hasButtons && (
          <div className={styles.transport}>
            <Transport model={model} />
          </div>
        )}
        {now.control === 'guest' && <HostNote words={hostNote} />}
        <div className={styles.sound}>{sound}</div>
        <div className={styles.view}>
          <ViewToggle view={view} onView={onView} />
        </div>
      </div>
    </section>
  );
}

function HostNote({ words }: { words: string }) {
  return (
    <p className={styles.note}>
      <CrownIcon />
      <span>{words}</span>
    </p>
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

interface SeekBarAtProps {
  model: PlaybackModel;
  formatTime: (seconds: number) => string;
  positionSeconds: number;
  showTimes?: boolean | undefined;
  /** Of the current track; null where they are not known. */
  peaks?: string | null;
}

/** The room's position on a slider, which those move who may press. */
export function PlaybackSeekBar(props: Omit<SeekBarAtProps, 'positionSeconds'>) {
  return <SeekBarAt {...props} positionSeconds={useProgress(props.model)} />;
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

const useIsLive = ({ follow }: PlaybackModel): boolean => useSlowReadable(follow, ({ isLive }) => isLive);

function LiveTag() {
  return (
    <p className={styles.live}>
      <strong>{playbackSentences.live}</strong>
      <span>{` ${t`Plays from now`}`}</span>
    </p>
  );
}

/** Allows for a timer that fires early. */
const afterTheSecondMs = 15;

/**
 * The room's position, in seconds from the beginning of the track. Read once a second, just after a whole second has
 * passed in the music, and at once when the room's playback changes.
 */
export function useProgress(model: PlaybackModel): number {
  const [seconds, setSeconds] = useState(() => model.positionSeconds());
  useEffect(() => {
    let timer = 0;
    const read = (): void => {
      const now = model.positionSeconds();
      setSeconds(now);
      clearTimeout(timer);
      timer = window.setTimeout(read, progressPollMs - ((now * 1000) % progressPollMs) + afterTheSecondMs);
    };
    read();
    const stop = model.view.subscribe(read);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [model]);
  return seconds;
}

interface AudioPlayerProps extends Pick<VideoControlsProps, 'model' | 'hostNote' | 'formatTime'> {
  sleeve: Elements;
  /** Of the current track; null where they are not known. */
  peaks: string | null;
  /** The keys 'Cover' and 'Words', and the words. */
  words: Elements;
  /** What takes its place: on phones it is one strip then, and on wide screens a column beside. */
  beside: 'words' | 'library' | 'chat' | null;
}

const besideClass = { words: styles.besideWords, library: styles.besideLibrary, chat: styles.besideChat };

/** The player of an audio room: cover, title, status with elapsed and total time, level bar, play and seek. */
export function AudioPlayer({ model, hostNote, formatTime, sleeve, peaks, words, beside }: AudioPlayerProps) {
  const now = useReadable(model.view);
  const { control } = now;
  const hasButton = mayPress(now) || control === 'free';
  return (
    <section
      className={classNames(styles.audioBox, beside !== null && besideClass[beside])}
      aria-label={playbackSentences.player}
    >
      <div className={styles.audio}>
        {sleeve}
        <div className={styles.audioDeck}>
          <AudioProgress {...{ model, formatTime, peaks }} title={<Title now={now} />} />
          {hasButton && (
            <div className={styles.keys}>
              <Transport model={model} hidesTurns />
            </div>
          )}
          {control === 'guest' && <HostNote words={hostNote} />}
        </div>
        {words}
      </div>
    </section>
  );
}

interface AudioProgressProps extends Pick<AudioPlayerProps, 'model' | 'formatTime' | 'peaks'> {
  title: Elements;
}

/** What each second changes: with one reading of the position, and nothing else of the player. */
function AudioProgress({ model, formatTime, peaks, title }: AudioProgressProps) {
  const now = useReadable(model.view);
  const positionSeconds = useProgress(model);
  const isLive = useIsLive(model);
  const isPlaying = isShownPlaying(now);
  const durationSeconds = now.playing.durationSeconds ?? 0;
  const times = `${formatTime(positionSeconds)} / ${formatTime(durationSeconds)}`;
  return (
    <>
      <div className={styles.heading}>
        {title}
        <p className={styles.status}>
          <strong>{isPlaying ? playbackSentences.playing : playbackSentences.paused}</strong>{' '}
          <span dir="ltr">{isLive ? playbackSentences.live : times}</span>
        </p>
      </div>
      <LevelBar playing={isPlaying} peaks={peaks} share={positionSeconds / Math.max(1, durationSeconds)} />
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
