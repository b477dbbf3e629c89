/**
 * What comes next, below the player: the room's queue, proposals, and in rooms of a kind that has them suggestions; and
 * what this tab can do with a track that was found.
 */
import { Suspense } from 'react';
import type { VideoId } from '@tunemate/protocol';
import type { Standing, TrackUse } from '../../catalogue/ProposeButton.tsx';
import { SuggestedList } from '../../catalogue/SuggestedList.tsx';
import type { Control, PlaybackView } from '../../playback/playback-view.ts';
import { QueueList } from '../../playback/deck/QueueList.tsx';
import { usePropose } from '../proposals/use-propose.ts';
import { factsOf, type RoomPanels } from '../room-kinds.ts';
import { lazyPart } from '../../store/lazy-part.ts';
import { useReadable } from '../../store/use-readable.ts';
import type { RoomView } from './Stage.tsx';

const ProposalsPanel = lazyPart(async () => (await import('../proposals/ProposalsPanel.tsx')).ProposalsPanel);

/** Whether the queue is worth a panel; where there are suggestions, only once it is used. */
const showsQueue: Record<RoomPanels['upNext'], (view: PlaybackView) => boolean> = {
  queue: () => true,
  suggestions: ({ playing }) => playing.queue.length > 1 || playing.afterTrack === 'queue',
};

type UseOf = Partial<Record<Control, TrackUse>>;

/** The controlling tab chooses and queues, guests propose, or add where everyone can; a host's other tab does nothing. */
export function useTracks({ parts: { playback }, state: { room } }: Pick<RoomView, 'parts' | 'state'>): TrackUse {
  const onPropose = usePropose(room);
  const { control } = useReadable(playback.view);
  const { choose, enqueue, enqueueAll, dequeueAll } = playback.host;
  const mine = { onChoose: choose, onEnqueue: enqueue, onEnqueueAll: enqueueAll, onDequeueAll: dequeueAll };
  const uses: UseOf = { mine, guest: { onPropose, everyoneAdds: room.everyoneAdds } };
  return uses[control] ?? {};
}

export function Queue({ kind, state: { room }, parts: { playback } }: Pick<RoomView, 'kind' | 'parts' | 'state'>) {
  const { formatTime, panels } = factsOf(kind);
  const view = useReadable(playback.view);
  const nameOf = (uid: string) => room.participants.find((person) => person.uid === uid)?.name;
  return showsQueue[panels.upNext](view) && <QueueList model={playback} formatTime={formatTime} nameOf={nameOf} />;
}

export function ProposalsPlace({ state: { room, ownVotes }, self }: Pick<RoomView, 'state' | 'self'>) {
  return (
    room.proposals.length > 0 && (
      <Suspense>
        <ProposalsPanel room={room} ownVotes={ownVotes} selfUid={self.uid} />
      </Suspense>
    )
  );
}

export function Suggested({ parts, state: { room }, use }: Pick<RoomView, 'parts' | 'state'> & { use: TrackUse }) {
  const { onChoose, onPropose, everyoneAdds } = use;
  const { queue, currentIndex } = useReadable(parts.playback.view).playing;
  const standingOf = (videoId: VideoId): Standing => {
    if (queue.slice(currentIndex + 1).some((track) => track.videoId === videoId)) return 'inQueue';
    // Where everyone can add, what somebody proposed before may still be added.
    return !everyoneAdds && room.proposals.some(({ track }) => track.videoId === videoId) ? 'proposed' : null;
  };
  return <SuggestedList model={parts.suggestions} {...{ onChoose, onPropose, everyoneAdds, standingOf }} />;
}
