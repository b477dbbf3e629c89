/** Below the queue: suggestions, where the kind of room has them, and what was played. */
import type { TrackUse } from '../../catalogue/ProposeButton.tsx';
import { lazyPart } from '../../store/lazy-part.ts';
import { Played } from '../history/Played.tsx';
import { factsOf } from '../room-kinds.ts';
import type { RoomView } from './visit.ts';

const Suggested = lazyPart(async () => (await import('../suggested/Suggested.tsx')).Suggested);

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
