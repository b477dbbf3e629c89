/** Subtitles of a film or inside of a stream: a button with a menu, and the text over the picture. Loaded with the first film. */
import { isMediaLink, type Result, type VideoId } from '@tunemate/protocol';
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { asking } from '../../store/asking.ts';
import { cell } from '../../store/cell.ts';
import { deviceStorage } from '../../store/lenient-storage.ts';
import { useReadable } from '../../store/use-readable.ts';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';
import { RadioRows } from '../../ui/fields/RadioRows.tsx';
import { SubtitlesIcon } from '../../ui/icons/film-icons.tsx';
import { subtitlesIn } from '../players/current-stream.ts';
import type { StreamSubtitles } from '../players/stream-subtitles.ts';
import { rememberedChoice, type Subtitles, subtitlesFor, subtitlesNames } from '../subtitles.ts';
import styles from './SubtitlesButton.module.css';
import { t } from '../../language/t.ts';

const remembered = rememberedChoice(deviceStorage);
const off = 'off';

export interface FilmSubtitlesProps {
  film: VideoId;
  ask: (film: VideoId, signal: AbortSignal) => Promise<Result<{ subtitles: Subtitles[] }>>;
  /** Contains the film's video; the text covers it. */
  picture: HTMLElement;
}

export function FilmSubtitles(props: FilmSubtitlesProps) {
  return isMediaLink(props.film) ? <OfStream {...props} /> : <OfFilm {...props} />;
}

const noStream = cell(null);
const noSubtitles = cell<readonly Subtitles[]>([]);

/** Those inside of a stream; a link to a film has none. */
function OfStream({ film, picture }: FilmSubtitlesProps) {
  const video = videoIn(picture);
  const stream = useReadable<StreamSubtitles | null>(video ? subtitlesIn(video) : noStream);
  const subtitles = useReadable(stream?.all ?? noSubtitles);
  if (stream === null || subtitles.length === 0) return null;
  return <SubtitlesButton {...{ film, picture, stream, subtitles }} />;
}

function OfFilm({ film, ask, picture }: FilmSubtitlesProps) {
  const [found, setFound] = useState<{ of: string; subtitles: readonly Subtitles[] } | null>(null);
  useEffect(() => {
    return asking(
      (signal) => ask(film, signal),
      (answer) => {
        if (answer.ok) setFound({ of: film, subtitles: answer.value.subtitles });
      },
    );
  }, [film, ask]);
  if (found?.of !== film || found.subtitles.length === 0) return null;
  return <SubtitlesButton {...{ film, picture }} stream={null} subtitles={found.subtitles} />;
}

interface SubtitlesButtonProps extends Pick<FilmSubtitlesProps, 'film' | 'picture'> {
  /** Null for a film of the library. */
  stream: StreamSubtitles | null;
  subtitles: readonly Subtitles[];
}

function SubtitlesButton({ film, picture, stream, subtitles }: SubtitlesButtonProps) {
  const chosen = subtitlesFor(subtitles, useReadable(remembered));
  const [isOpen, setIsOpen] = useState(false);
  const menuId = useId();
  const names = subtitlesNames(subtitles);
  return (
    <span>
      <IconButton
        label={t`Subtitles`}
        icon={<SubtitlesIcon />}
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => setIsOpen(!isOpen)}
      />
      {isOpen && (
        <Menu id={menuId} onClose={() => setIsOpen(false)}>
          <RadioRows
            title={t`Subtitles`}
            rows={[
              { value: off, label: t`Off` },
              ...subtitles.map(({ id }, index) => ({ value: id, label: names[index] ?? '' })),
            ]}
            value={chosen?.id ?? off}
            onChange={(id) => remembered.set(subtitles.find((one) => one.id === id) ?? null)}
          />
        </Menu>
      )}
      {chosen && stream && <StreamWords {...{ stream, picture }} id={chosen.id} language={chosen.language} />}
      {chosen && !stream && (
        <FileWords src={`/media/${film}/subtitles/${chosen.id}`} picture={picture} language={chosen.language} />
      )}
    </span>
  );
}

/** Focuses the chosen row; Escape and a click elsewhere close it. */
function Menu({ id, onClose, children }: { id: string; onClose: () => void; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const menu = box.current;
    const button = menu?.parentElement?.querySelector('button');
    if (menu === null) return undefined;
    const open = new AbortController();
    const { signal } = open;
    menu.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        button?.focus();
        close();
      },
      { signal },
    );
    const onElsewhere = ({ target }: Event) => {
      if (target instanceof Node && menu.parentElement?.contains(target) !== true) close();
    };
    for (const name of ['pointerdown', 'focusin']) document.addEventListener(name, onElsewhere, { signal });
    menu.scrollIntoView({ block: 'nearest' });
    menu.querySelector<HTMLElement>(':checked')?.focus({ preventScroll: true });
    return () => open.abort();
  }, []);
  return (
    <div ref={box} id={id} className={styles.menu}>
      {children}
    </div>
  );
}

interface WordsProps {
  language: string | null;
  picture: HTMLElement;
}

function FileWords({ src, ...shown }: WordsProps & { src: string }) {
  return <Words cues={useCues(shown.picture, src)} {...shown} />;
}

function StreamWords({ stream, id, ...shown }: WordsProps & { stream: StreamSubtitles; id: string }) {
  const [cues, setCues] = useState(none);
  useEffect(() => {
    const track = stream.choose(id);
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      waiting = undefined;
      setCues(cuesOf(track));
    };
    const onChange = () => {
      waiting ??= setTimeout(show, togetherMs);
    };
    track?.addEventListener('cuechange', onChange);
    show();
    return () => {
      clearTimeout(waiting);
      track?.removeEventListener('cuechange', onChange);
      stream.choose(null);
      setCues(none);
    };
  }, [stream, id]);
  return <Words cues={cues} {...shown} />;
}

function Words({ cues, language, picture }: WordsProps & { cues: readonly VTTCue[] }) {
  const lines = useRef<HTMLDivElement>(null);
  useEffect(() => lines.current?.replaceChildren(...cues.map(lineOf)), [cues]);
  const words = <div ref={lines} className={styles.words} lang={language ?? undefined} dir="auto" data-subtitles />;
  return createPortal(<div className={styles.over}>{words}</div>, picture);
}

/** The browser renders the text, and only the markup that WebVTT allows. */
function lineOf(cue: VTTCue): HTMLElement {
  const line = document.createElement('p');
  const words = document.createElement('span');
  words.append(cue.getCueAsHTML());
  line.append(words);
  return line;
}

const none: readonly VTTCue[] = [];
/** More words at one moment cover the picture, and drawing thousands stops the page. */
const mostShown = 20;
/** Browsers say of each word by itself that it begins. */
const togetherMs = 20;

function cuesOf(track: TextTrack | null): VTTCue[] {
  const active = track?.activeCues;
  if (!active) return [];
  return Array.from({ length: Math.min(active.length, mostShown) }, (_, at) => active[at] as VTTCue);
}
const videoIn = (picture: HTMLElement) => picture.querySelector<HTMLVideoElement>('video:not([hidden])');

/** `src` is a WebVTT file for the visible video in `picture`. */
function useCues(picture: HTMLElement, src: string): readonly VTTCue[] {
  const [cues, setCues] = useState(none);
  const toast = useToast();
  const video = videoIn(picture);
  useEffect(() => {
    if (video === null) return undefined;
    const element = document.createElement('track');
    const { track } = element;
    element.kind = 'subtitles';
    element.src = src;
    const show = () => setCues(cuesOf(track));
    const onFailed = () => toast(t`These subtitles could not be read`);
    track.addEventListener('cuechange', show);
    element.addEventListener('load', show);
    element.addEventListener('error', onFailed);
    video.append(element);
    // ’hidden’: loaded but not drawn by the browser, which would draw below the full-screen controls.
    track.mode = 'hidden';
    return () => {
      track.removeEventListener('cuechange', show);
      element.removeEventListener('error', onFailed);
      element.remove();
      setCues(none);
    };
  }, [video, src, toast]);
  return cues;
}
