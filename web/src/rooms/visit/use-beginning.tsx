/** The beginning of a room: the board in the player's place, and the moment in which the first track begins. */
import { useEffect, useRef, useState } from 'react';
import type { TrackUse } from '../../catalogue/ProposeButton.tsx';
import { lazyPart } from '../../store/lazy-part.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import { regainFocus } from '../../ui/lost-focus.ts';
import type { Elements } from '../../ui/OwnText.tsx';
import type { Finding } from '../in-panel.ts';
import type { Sidebar } from '../sidebar/sidebar.ts';
import styles from './LiveRoom.module.css';
import { hostName } from './room-model.ts';
import { UndoNotice } from './Stage.tsx';
import type { RoomView } from './visit.ts';

const Board = lazyPart(async () => (await import('../board/Board.tsx')).Board);

interface Shown {
  isFull: boolean;
  finding: Finding;
}

/** `board` is null where the player is shown; `isFirst` is true for a moment after the first track has begun. */
export function useBeginning(props: RoomView & Shown, use: TrackUse, sidebar: Sidebar) {
  const { playing } = useReadable(props.parts.playback.view);
  const isFirst = useFirstTrack(playing.track !== null);
  return { board: useBoard(props, use, sidebar), isFirst };
}

/** Before the first track, where the window has a place for it and this is no tab beside the one with the host's keys. */
function useBoard(props: RoomView & Shown, use: TrackUse, sidebar: Sidebar): Elements | null {
  const { kind, state, parts, isFull, finding } = props;
  const isWide = useWideScreen();
  const { playing, control } = useReadable(parts.playback.view);
  const isBegun = playing.track !== null || playing.queue.length > 0;
  const isCovered = finding.library === 'stage' || (!isWide && (finding.hasResults || sidebar.isChatOpen));
  const isShown = !isBegun && !isFull && !isCovered && control !== 'elsewhere';
  const wasShown = useRef(isShown);
  useEffect(() => {
    // The pressed card is gone.
    if (wasShown.current && !isShown) regainFocus(document.querySelector<HTMLElement>('main section button'));
    wasShown.current = isShown;
  }, [isShown]);
  if (!isShown) return null;
  return (
    <Board
      fallback={<div className={styles.board} />}
      kind={kind}
      code={state.room.code}
      model={parts.playback}
      use={use}
      hostName={hostName(state.room)}
      onSearch={() => sidebar.open('search')}
      undo={<UndoNotice model={parts.playback} floats />}
    />
  );
}

const momentMs = 4000;

/** True for a moment after the first track of the room has begun on this page. */
function useFirstTrack(hasTrack: boolean): boolean {
  const [now, setNow] = useState({ hasTrack, isFirst: false });
  if (now.hasTrack !== hasTrack) setNow({ hasTrack, isFirst: hasTrack });
  const { isFirst } = now;
  useEffect(() => {
    if (!isFirst) return undefined;
    const timer = setTimeout(() => setNow((before) => ({ ...before, isFirst: false })), momentMs);
    return () => clearTimeout(timer);
  }, [isFirst]);
  return isFirst;
}
