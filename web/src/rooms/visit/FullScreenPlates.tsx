/** The controls that only full screen shows: exit, room name and participants; buttons for requests, picture and chat;
   and what plays next. Marks the room as idle without input, so that CSS hides the plates, and measures what they cover,
   so that subtitles stay above them. Loaded in full screen. */
import { useEffect, useRef } from 'react';
import { Thumb } from '../../ui/lists/MediaRow.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { ChevronDownIcon, ChevronUpIcon, MessageIcon } from '../../ui/icons/inside-icons.tsx';
import { ExitFullScreenIcon, JoinRequestIcon } from '../../ui/icons/film-icons.tsx';
import { classNames } from '../../ui/class-names.ts';
import { toggleFullScreen } from '../../playback/deck/screen-modes.ts';
import styles from './FullScreenPlates.module.css';
import type { Elements } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

const idleAfterMs = 3000;
const inputEvents = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/** A panel that a button opens and closes. */
export interface Toggle {
  isOpen: boolean;
  onToggle: () => void;
}

export interface FullScreenPlatesProps {
  name: string;
  /** Whether the music plays, in a word. */
  state: string;
  people: number;
  requests: Toggle & { waiting: number };
  chat: Toggle & { unseen: number };
  /** Buttons for the picture. */
  tools: Elements;
  mayHide: boolean;
}

export function FullScreenPlates({ name, state, people, requests, chat, tools, mayHide }: FullScreenPlatesProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const room = roomOf(box.current);
    return room && mayHide ? markIdle(room) : undefined;
  }, [mayHide]);
  const { waiting } = requests;
  useEffect(() => {
    // A new request shows the plates again.
    if (waiting > 0) roomOf(box.current)?.dispatchEvent(new Event(inputEvents[0]));
  }, [waiting]);
  useEffect(() => {
    const room = roomOf(box.current);
    return room ? measurePlates(room) : undefined;
  }, []);
  useEffect(() => {
    // The button that was pressed is not shown in full screen.
    if (document.activeElement === document.body) box.current?.querySelector('button')?.focus();
  }, []);
  return (
    <div ref={box} className={styles.plates} data-plates>
      <div className={styles.plate}>
        <IconButton label={t`Exit full screen`} icon={<ExitFullScreenIcon />} onClick={toggleFullScreen} />
        <p>
          <strong dir="auto">{name}</strong>
          <span>{[state, t`${String(people)} here`].join(' · ')}</span>
        </p>
      </div>
      <div className={styles.plate}>
        {requests.waiting > 0 && (
          <IconButton
            label={t`Pending Join Requests, ${requests.waiting}`}
            aria-pressed={requests.isOpen}
            className={classNames(styles.key, styles.asks)}
            icon={
              <>
                <JoinRequestIcon />
                <span className={styles.count}>{requests.waiting}</span>
              </>
            }
            onClick={requests.onToggle}
          />
        )}
        {tools}
        <IconButton
          label={chat.unseen > 0 ? t`Chat, ${chat.unseen} new` : t`Chat`}
          aria-pressed={chat.isOpen}
          className={styles.key}
          icon={
            <>
              <MessageIcon />
              {chat.unseen > 0 && <span className={styles.count}>{chat.unseen}</span>}
            </>
          }
          onClick={chat.onToggle}
        />
      </div>
    </div>
  );
}

export function UpNextButton({
  track,
  isOpen,
  onToggle,
}: Toggle & { track: { videoId: string; title: string; thumbnail?: string | null | undefined } }) {
  return (
    <button type="button" className={styles.upNext} aria-expanded={isOpen} onClick={onToggle}>
      <span>{`${t`Up next`} `}</span>
      <Thumb id={track.videoId} url={track.thumbnail ?? undefined} className={styles.thumb} />
      <strong dir="auto">{track.title}</strong>
      {isOpen ? <ChevronDownIcon /> : <ChevronUpIcon />}
    </button>
  );
}

/** The element that is in full screen; it may get its mark a moment later than this code runs. */
const roomOf = (plates: HTMLElement | null): HTMLElement | null => plates?.closest('main')?.parentElement ?? null;

/** Sets `data-idle` while there is no pointer, touch or key input and no menu of the controls is open. */
function markIdle(room: HTMLElement): () => void {
  let timer = 0;
  const sleep = (): void => {
    if (room.querySelector('main [aria-expanded="true"]') === null) room.dataset['idle'] = '';
    else wake();
  };
  const wake = (): void => {
    delete room.dataset['idle'];
    clearTimeout(timer);
    timer = window.setTimeout(sleep, idleAfterMs);
  };
  // The dot would be gone under the pointer that is about to press it.
  const onInput = ({ target }: Event): void => {
    if (!(target instanceof Element && target.closest('[data-dot]'))) wake();
  };
  for (const type of inputEvents) room.addEventListener(type, onInput);
  wake();
  return () => {
    clearTimeout(timer);
    delete room.dataset['idle'];
    for (const type of inputEvents) room.removeEventListener(type, onInput);
  };
}

/** Keeps `--covered` at the height that controls and requests cover from below. */
function measurePlates(room: HTMLElement): () => void {
  const lower = room.querySelectorAll('main > :has(> [data-plates]), [data-panel="requests"]');
  const measure = (): void => {
    const boxes = Array.from(lower, (plate) => plate.getBoundingClientRect());
    const tops = boxes.flatMap(({ top, height }) => (height > 0 ? [top] : []));
    room.style.setProperty('--covered', `${String(Math.max(0, innerHeight - Math.min(innerHeight, ...tops)) + 12)}px`);
  };
  const observer = new ResizeObserver(measure);
  for (const plate of lower) observer.observe(plate);
  observer.observe(room);
  return () => {
    observer.disconnect();
    room.style.removeProperty('--covered');
  };
}
