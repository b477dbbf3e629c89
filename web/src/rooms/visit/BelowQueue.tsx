/** Below the queue: suggestions, where the kind of room has them, and what was played. */
import type { VideoId } from '@tunemate/protocol';
import type { Standing, TrackUse } from '../../catalogue/ProposeButton.tsx';
import { SuggestedList } from '../../catalogue/SuggestedList.tsx';
import { useReadable } from '../../store/use-readable.ts';
import { Played } from '../history/Played.tsx';
import { factsOf } from '../room-kinds.ts';
import type { RoomView } from './visit.ts';

export function BelowQueue({
  kind,
  parts,
  state,
  use,
}: Pick<RoomView, 'kind' | 'parts' | 'state'> & { use: TrackUse }) {
  const { room } = state;
  const { onChoose, onPropose, everyoneAdds } = use;
  const { queue, currentIndex } = useReadable(parts.playback.view).playing;
  const standingOf = (videoId: VideoId): Standing => {
    if (queue.slice(currentIndex + 1).some((track) => track.videoId === videoId)) return 'inQueue';
    // Where everyone can add, a track that was proposed before can still be added.
    return !everyoneAdds && room.proposals.some(({ track }) => track.videoId === videoId) ? 'proposed' : null;
  };
  return (
    <>
      {factsOf(kind).panels.upNext === 'suggestions' && (
        <SuggestedList model={parts.suggestions} {...{ onChoose, onPropose, everyoneAdds, standingOf }} />
      )}
      <Played {...{ parts, state, use }} />
    </>
  );
}
