/** Below the queue: suggestions, where the kind of room has them, and what was played. */
import type { TrackUse } from '../../catalogue/ProposeButton.tsx';
import { Played } from '../history/Played.tsx';
import { factsOf } from '../room-kinds.ts';
import { Suggested } from '../suggested/Suggested.tsx';
import type { RoomView } from './visit.ts';

export function BelowQueue({
  kind,
  parts,
  state,
  use,
}: Pick<RoomView, 'kind' | 'parts' | 'state'> & { use: TrackUse }) {
  return (
    <>
      {factsOf(kind).panels.upNext === 'suggestions' && <Suggested {...{ parts, state, use }} />}
      <Played {...{ parts, state, use }} />
    </>
  );
}
