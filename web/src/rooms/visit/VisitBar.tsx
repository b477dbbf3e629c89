/** The bar of the visited room on every other screen: what plays, the state, the oldest join request, and Leave. */
import { createPortal } from 'react-dom';
import { Link } from '../../ui/Link.tsx';
import { useApp } from '../../app-context.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useSlowReadable } from '../../store/use-slow-readable.ts';
import { playbackSentences } from '../../playback/playback-words.ts';
import { isShownPlaying, mayPress } from '../../playback/playback-view.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { Badge } from '../../ui/buttons/Badge.tsx';
import { Button, ButtonLink, Spinner } from '../../ui/buttons/Button.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DeckButton } from '../../ui/deck/DeckButtons.tsx';
import { LeaveIcon } from '../../ui/icons/inside-icons.tsx';
import { PauseIcon, PlayIcon } from '../../ui/icons/marks.tsx';
import styles from './VisitBar.module.css';
import { roomBarSlot } from '../../ui/layout/RoomBarSlot.tsx';
import { Sleeve } from '../../ui/records/Sleeve.tsx';
import { Vinyl } from '../../ui/records/Vinyl.tsx';
import { BarRequest } from '../requests/JoinRequests.tsx';
import { factsOf } from '../room-kinds.ts';
import { useHostAway } from './Stage.tsx';
import type { RoomView } from './visit.ts';
import { t } from '../../language/t.ts';

/** Under the band on phones, along the bottom on wide screens; nothing on pages without a slot for it. */
export function VisitBar(props: RoomView & { onLeave: () => void }) {
  const place = useReadable(roomBarSlot);
  return place && createPortal(<Bar {...props} />, place);
}

function Bar(props: RoomView & { onLeave: () => void }) {
  const { kind, visit, state, parts, self, onLeave } = props;
  const { room } = state;
  const { pending } = useReadable(visit.requests.state);
  const isHost = room.host === self.uid;
  const [request] = isHost ? pending : [];
  const newest = pending.at(-1);
  const { ink, roomPath } = factsOf(kind);
  const href = roomPath(room.code);
  const { track, title } = useReadable(parts.playback.view).playing;
  const { words, sign } = useBarState(props);
  const isMoving = sign === 'playing' || sign === 'live';
  return (
    <section className={styles.bar} aria-label={t`Room`} data-band={ink} data-room-bar={request ? 'asked' : ''}>
      <Link href={href} className={styles.room}>
        <VisuallyHidden>{`${returnToRoom}: `}</VisuallyHidden>
        <Sleeve
          code={room.code}
          pictureUrl={track?.thumbnail ?? undefined}
          record={<Vinyl pressed spinning={isMoving} />}
          peek={0.3}
        />
        <span className={styles.words}>
          <strong dir="auto">{track === null ? room.name : title}</strong>
          <span className={styles.state}>
            <Sign sign={sign} />
            <span className={styles.onWide}>
              <span>{`${words} · `}</span>
              <span dir="auto">{track === null ? title : room.name}</span>
            </span>
            <span className={styles.onPhone}>
              {/* Moving bars and a key in words say so, and leave the link its place beside the keys. */}
              {(sign === 'still' || sign === 'waiting') && <span>{`${words} · `}</span>}
              <b>{returnToRoom}</b>
            </span>
            {isHost && (
              <Badge count={room.proposals.length} words={room.proposals.length === 1 ? t`Proposal` : t`Proposals`} />
            )}
          </span>
        </span>
      </Link>
      {/* Without the title, which may be long and changes often. */}
      <VisuallyHidden>
        <output>{words}</output>
        <output>{request && newest && t`${newest.name} asks to join`}</output>
      </VisuallyHidden>
      {request && (
        <div className={styles.request}>
          <BarRequest key={request.uid} kind={kind} model={visit.requests} request={request} />
        </div>
      )}
      <div className={styles.keys}>
        <MainButton {...props} />
        <ButtonLink small variant="quiet" href={href} className={styles.onWide}>
          {returnToRoom}
        </ButtonLink>
        <IconButton label={t`Leave ${room.name}`} icon={<LeaveIcon />} onClick={onLeave} />
      </div>
    </section>
  );
}

const returnToRoom = t`Return to room`;

/** `held`: the key beside it says so. */
type BarSign = 'playing' | 'still' | 'held' | 'waiting' | 'live';

/** The state in one line; problems come first. */
function useBarState({ visit, state, parts, self }: RoomView): { words: string; sign: BarSign } {
  const isConnected = useReadable(useApp().connection.status).status === 'live';
  const view = useReadable(parts.playback.view);
  const isLive = useSlowReadable(parts.playback.follow, (follow) => follow.isLive);
  const isHeld = useSlowReadable(parts.playback.follow, ({ status }) => status === 'held');
  const isHost = state.room.host === self.uid;
  const isHostAway = useHostAway(state.room, visit.clockSync) && !isHost;
  const isPlaying = isShownPlaying(view);
  if (!isConnected) return { words: t`Reconnecting…`, sign: 'waiting' };
  if (isHostAway) return { words: t`The host stepped out`, sign: isPlaying ? 'playing' : 'still' };
  if (view.playing.track === null)
    return { words: isHost ? t`Nothing chosen yet` : t`Waiting for the host`, sign: 'still' };
  if (isHeld) return { words: playbackSentences.held, sign: 'held' };
  if (!isPlaying) return { words: playbackSentences.paused, sign: 'still' };
  return { words: playbackSentences.playing, sign: isLive ? 'live' : 'playing' };
}

/** A tap that the browser requires comes before the host's play button. */
function MainButton({ parts }: RoomView) {
  const { playback } = parts;
  const view = useReadable(playback.view);
  const status = useSlowReadable(playback.follow, (follow) => follow.status);
  const isPlaying = isShownPlaying(view);
  if (status === 'held' || (status === 'blocked' && view.playing.timeline.isPlaying)) {
    return (
      <Button small variant="primary" onClick={() => playback.tapToListen()}>
        {status === 'held' ? playbackSentences.backToLive : playbackSentences.tapToListen}
      </Button>
    );
  }
  if (!mayPress(view) && view.control !== 'free') return null;
  return (
    <DeckButton
      main
      solo
      label={isPlaying ? t`Pause` : t`Play`}
      icon={isPlaying ? <PauseIcon size={22} /> : <PlayIcon size={22} />}
      disabled={view.playing.track === null}
      onClick={() => playback.host.setPlaying(!isPlaying)}
    />
  );
}

function Sign({ sign }: { sign: BarSign }) {
  if (sign === 'waiting') return <Spinner />;
  if (sign === 'live') return <span className={styles.live}>{t`LIVE`}</span>;
  return (
    <span className={classNames(styles.bars, sign !== 'playing' && styles.still)} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}
