/** The controls that only full screen shows: exit, room name and participants; buttons for requests, picture and chat;
   and what plays next. Marks the room as idle without input, so that CSS hides the plates. Loaded in full screen. */
import { useEffect, useRef, type ReactNode } from 'react';
import { Thumb } from '../../ui/lists/MediaRow.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { ChevronDownIcon, ChevronUpIcon, JoinRequestIcon, MessageIcon } from '../../ui/icons/icons.tsx';
import { ExitFullScreenIcon } from '../../ui/icons/film-icons.tsx';
import { toggleFullScreen } from '../../playback/deck/screen-modes.ts';
import styles from './FullScreenPlates.module.css';

const idleAfterMs = 3000;
const inputEvents = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/** A panel that a button opens and closes. */
export interface Toggle {
  isOpen: boolean;
  onToggle: () => void;
}

export interface FullScreenPlatesProps {
  name: string;
  people: number;
  requests: Toggle & { waiting: number };
  chat: Toggle;
  /** Buttons for the picture. */
  tools: ReactNode;
  mayHide: boolean;
}

export function FullScreenPlates({ name, people, requests, chat, tools, mayHide }: FullScreenPlatesProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const room = box.current?.closest<HTMLElement>('[data-full]');
    return room && mayHide ? markIdle(room) : undefined;
  }, [mayHide]);
  useEffect(() => {
    // The button that was pressed is not shown in full screen.
    if (document.activeElement === document.body) box.current?.querySelector('button')?.focus();
  }, []);
  return (
    <div ref={box} className={styles.plates} data-plates>
      <div className={styles.plate}>
        <IconButton label="Exit full screen" icon={<ExitFullScreenIcon />} onClick={toggleFullScreen} />
        <p>
          <strong>{name}</strong>
          <span>{people} here</span>
        </p>
      </div>
      <div className={styles.plate}>
        {requests.waiting > 0 && (
          <IconButton
            label={`Pending Join Requests, ${requests.waiting}`}
            aria-pressed={requests.isOpen}
            className={styles.key}
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
          label="Chat"
          aria-pressed={chat.isOpen}
          className={styles.key}
          icon={<MessageIcon />}
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
      Up next <Thumb id={track.videoId} url={track.thumbnail ?? undefined} className={styles.thumb} />
      <strong>{track.title}</strong>
      {isOpen ? <ChevronDownIcon /> : <ChevronUpIcon />}
    </button>
  );
}

/** Sets `data-idle` while there is no pointer, touch or key input. */
function markIdle(room: HTMLElement): () => void {
  let timer = 0;
  const wake = (): void => {
    delete room.dataset['idle'];
    clearTimeout(timer);
    timer = window.setTimeout(() => (room.dataset['idle'] = ''), idleAfterMs);
  };
  for (const type of inputEvents) room.addEventListener(type, wake);
  wake();
  return () => {
    clearTimeout(timer);
    delete room.dataset['idle'];
    for (const type of inputEvents) room.removeEventListener(type, wake);
  };
}
