/** What only full screen shows: the way out, the room and how many are in it; the buttons of the requests, the picture and
   the chat; and what plays next. Tells when nobody has moved for a while, so that the plates over a film can leave.
   Loaded when full screen begins. */
import { useEffect, useRef, type ReactNode } from 'react';
import { Thumb } from '../../ui/lists/MediaRow.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { ChevronDownIcon, ChevronUpIcon, DoorIcon, MessageIcon } from '../../ui/icons/icons.tsx';
import { ExitFullScreenIcon } from '../../ui/icons/film-icons.tsx';
import { toggleFullScreen } from '../../playback/deck/screen-modes.ts';
import styles from './FullScreenPlates.module.css';

/** How long the plates stay without pointer, touch or key. */
const leaveAfterMs = 3000;
const signs = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/** Something that a button opens and closes. */
export interface Opening {
  isOpen: boolean;
  onToggle: () => void;
}

export interface FullScreenPlatesProps {
  name: string;
  people: number;
  /** How many wait to come in; the button opens all their requests. */
  requests: Opening & { waiting: number };
  chat: Opening;
  /** Keys for the picture. */
  tools: ReactNode;
  /** Nothing waits for this person, and the plates lie over the picture. */
  mayLeave: boolean;
}

export function FullScreenPlates({ name, people, requests, chat, tools, mayLeave }: FullScreenPlatesProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const room = box.current?.closest<HTMLElement>('[data-full]');
    return room && mayLeave ? markIdle(room) : undefined;
  }, [mayLeave]);
  useEffect(() => {
    // The button that was pressed is not in full screen.
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
                <DoorIcon />
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

/** What plays next, in the deck's first line; opens the queue. */
export function UpNextButton({
  track,
  isOpen,
  onToggle,
}: Opening & { track: { videoId: string; title: string; thumbnail?: string | null | undefined } }) {
  return (
    <button type="button" className={styles.upNext} aria-expanded={isOpen} onClick={onToggle}>
      Up next <Thumb id={track.videoId} url={track.thumbnail ?? undefined} className={styles.thumb} />
      <strong>{track.title}</strong>
      {isOpen ? <ChevronDownIcon /> : <ChevronUpIcon />}
    </button>
  );
}

/** Marks the room while nobody moves in it. */
function markIdle(room: HTMLElement): () => void {
  let timer = 0;
  const wake = (): void => {
    delete room.dataset['idle'];
    clearTimeout(timer);
    timer = window.setTimeout(() => (room.dataset['idle'] = ''), leaveAfterMs);
  };
  for (const sign of signs) room.addEventListener(sign, wake);
  wake();
  return () => {
    clearTimeout(timer);
    delete room.dataset['idle'];
    for (const sign of signs) room.removeEventListener(sign, wake);
  };
}
