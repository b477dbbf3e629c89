/**
 * At the foot of what plays: the room's state, in audio rooms with the time, and this device's step. Notices take its place,
 * so that they cover nothing and move nothing.
 */
import { useState } from 'react';
import { isTried } from '../../store/first-track.ts';
import { lazyPart } from '../../store/lazy-part.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useSlowReadable } from '../../store/use-slow-readable.ts';
import { HeldHere, UndoNotice } from '../../playback/deck/LineNotices.tsx';
import { useIsLive } from '../../playback/deck/PlayerControls.tsx';
import { SyncBadge, syncWords } from '../../playback/deck/SoundLine.tsx';
import { playbackSentences } from '../../playback/playback-words.ts';
import { isShownPlaying } from '../../playback/playback-view.ts';
import { PauseIcon } from '../../ui/icons/marks.tsx';
import { factsOf } from '../room-kinds.ts';
import styles from './NoticeLine.module.css';
import { Together } from './Together.tsx';
import type { RoomView } from './visit.ts';
import { t } from '../../language/t.ts';

const RemoteWords = lazyPart(async () => (await import('../remote/RemoteLine.tsx')).RemoteWords);
const BesideKey = lazyPart(async () => (await import('../join/BesideKey.tsx')).BesideKey);
const RemoteKey = lazyPart(async () => (await import('../remote/RemoteLine.tsx')).RemoteKey);

/** `isFirst`: the room's first track has just begun. */
export function NoticeLine(props: Pick<RoomView, 'kind' | 'state' | 'parts' | 'self'> & { isFirst: boolean }) {
  const { kind, parts, isFirst } = props;
  const { room } = props.state;
  const isPlaying = isShownPlaying(useReadable(parts.playback.view));
  const isFrame = factsOf(kind).panels.stage === 'frame';
  const [isOpen, setIsOpen] = useState(false);
  const hasStep = useSlowReadable(parts.playback.follow, (follow) => syncWords(follow) !== null);
  const isShared = room.remoteUse !== 'host';
  const status = (
    <>
      <strong>{`${playbackSentences[isPlaying ? 'playing' : 'paused']} `}</strong>
      {!isFrame && <Times {...props} />}
    </>
  );
  const about = [
    ...(room.housePlays ? [t`The house plays`] : []),
    ...(isFrame ? [room.people === 1 ? t`for you alone` : t`for ${String(room.people)} people`] : []),
  ];
  const remote = { room, selfUid: props.self.uid, model: parts.playback };
  const isTogether = isFirst || (isOpen && hasStep);
  return (
    <div className={isFrame ? styles.frame : styles.sleeve} data-notice-slot>
      <div className={styles.rest}>
        {isPlaying ? <Bars /> : <PauseIcon size={16} />}
        {/* The status line of an audio room: it stays where others press. */}
        {(!isFrame || !isShared) && status}
        {isShared ? (
          <RemoteWords {...remote} hasStatus={!isFrame} />
        ) : (
          <span className={styles.people}>{about.join(' · ')}</span>
        )}
      </div>
      {isTogether && <Together room={room} model={parts.playback} isFirst={isFirst} />}
      <div className={styles.ends}>
        {isTried() && room.host === props.self.uid && room.people === 1 && <BesideKey kind={kind} code={room.code} />}
        {hasStep && (
          <button type="button" className={styles.step} aria-expanded={isTogether} onClick={() => setIsOpen(!isOpen)}>
            {isTogether && <span>{t`This device`}</span>}
            <SyncBadge model={parts.playback} />
          </button>
        )}
        {isShared && <RemoteKey {...remote} />}
      </div>
      <HeldHere model={parts.playback} floats />
      <UndoNotice model={parts.playback} floats />
    </div>
  );
}

/** Elapsed and total time. */
function Times({ kind, parts }: Pick<RoomView, 'kind' | 'parts'>) {
  const { formatTime } = factsOf(kind);
  const elapsed = formatTime(useReadable(parts.progress));
  const { durationSeconds } = useReadable(parts.playback.view).playing;
  const isLive = useIsLive(parts.playback);
  return (
    <span className={styles.time} dir="ltr">
      {isLive ? playbackSentences.live : `${elapsed} / ${formatTime(durationSeconds ?? 0)}`}
    </span>
  );
}

const Bars = () => (
  <svg viewBox="0 0 14 12" width="14" height="12" fill="currentColor" aria-hidden="true" className={styles.bars}>
    <path d="M0 0h3v12H0zM5.5 5h3v7h-3zM11 3h3v9h-3z" />
  </svg>
);
