/** The visited room on every other screen: what plays, how it is, and the few things one does without returning. */
import type { JoinRequest } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { playbackSentences } from '../../playback/playback-words.ts';
import { isShownPlaying } from '../../playback/playback-view.ts';
import { useReadable, useSlowReadable } from '../../store/use-readable.ts';
import { asksToJoin } from '../join/admission-words.ts';
import { BarRequest } from '../requests/BarRequest.tsx';
import { factsOf } from '../room-kinds.ts';
import { useAnswer } from '../requests/use-answer.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { DeckButton } from '../../ui/deck/DeckButtons.tsx';
import { LeaveIcon } from '../../ui/icons/icons.tsx';
import { PauseIcon, PlayIcon } from '../../ui/icons/marks.tsx';
import { RoomBar, type RoomBarSign } from '../../ui/layout/RoomBar.tsx';
import type { RoomView } from './Stage.tsx';
import { useHostAway } from './use-host-away.ts';

export function VisitBar(props: RoomView & { onLeave: () => void }) {
  const { kind, state, parts, self, onLeave } = props;
  const { room, requests } = state;
  const isHost = room.host === self.uid;
  const newest = requests.at(-1);
  const facts = factsOf(kind);
  const { playing } = useReadable(parts.playback.view);
  const now = useBarState(props);
  return (
    <RoomBar
      ink={facts.ink}
      href={facts.roomPath(room.code)}
      title={playing.track === null ? room.name : playing.title}
      code={room.code}
      pictureUrl={playing.track?.thumbnail ?? undefined}
      state={now.words}
      roomName={playing.track === null ? playing.title : room.name}
      sign={now.sign}
      mainButton={<MainButton {...props} />}
      leave={<IconButton label={`Leave ${room.name}`} icon={<LeaveIcon />} onClick={onLeave} />}
      request={isHost && requests[0] && <FirstRequest {...props} first={requests[0]} />}
      asks={isHost && newest ? asksToJoin(newest.name) : undefined}
    />
  );
}

/** The state in one line: what is wrong comes before what plays. */
function useBarState({ session, state, parts, self }: RoomView): { words: string; sign: RoomBarSign } {
  const isConnected = useReadable(useApp().connection.status).status === 'live';
  const view = useReadable(parts.playback.view);
  const { isLive, status } = useSlowReadable(parts.playback.follow);
  const isHost = state.room.host === self.uid;
  const isHostAway = useHostAway(state.room.hostAwaySince, session.clockSync) && !isHost;
  const isPlaying = isShownPlaying(view);
  if (!isConnected) return { words: 'Reconnecting…', sign: 'waiting' };
  if (isHostAway) return { words: 'The host stepped out', sign: isPlaying ? 'playing' : 'still' };
  if (view.playing.track === null) return { words: isHost ? 'Paused' : 'Waiting for the host', sign: 'still' };
  if (status === 'held') return { words: playbackSentences.held, sign: 'still' };
  if (!isPlaying) return { words: playbackSentences.paused, sign: 'still' };
  return { words: playbackSentences.playing, sign: isLive ? 'live' : 'playing' };
}

/** What the browser asks for comes before the host's play button. */
function MainButton({ parts }: RoomView) {
  const { playback } = parts;
  const view = useReadable(playback.view);
  const { status } = useSlowReadable(playback.follow);
  const isPlaying = isShownPlaying(view);
  if (status === 'held' || (status === 'blocked' && view.playing.timeline.isPlaying)) {
    return (
      <Button small variant="primary" onClick={() => playback.tapToListen()}>
        {status === 'held' ? playbackSentences.backToLive : playbackSentences.tapToListen}
      </Button>
    );
  }
  if (view.control !== 'mine' && view.control !== 'free') return null;
  return (
    <DeckButton
      main
      solo
      label={isPlaying ? 'Pause' : 'Play'}
      icon={isPlaying ? <PauseIcon size={22} /> : <PlayIcon size={22} />}
      disabled={view.playing.track === null}
      onClick={() => playback.host.setPlaying(!isPlaying)}
    />
  );
}

function FirstRequest({ kind, session, state, first }: RoomView & { first: JoinRequest }) {
  const answer = useAnswer(session, factsOf(kind).ink);
  return <BarRequest key={first.uid} request={first} waiting={state.requests.length} onAnswer={answer} />;
}
