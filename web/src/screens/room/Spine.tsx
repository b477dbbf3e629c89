/** The rail in wide view, loaded when it is first wanted, with what it counts. */
import { lazy, Suspense } from 'react';
import { useUnseen } from '../../rooms/use-unseen.ts';
import type { RoomView } from './Stage.tsx';
import type { Rail } from './use-rail.ts';

const RailSpine = lazy(async () => ({ default: (await import('../../rooms/RailSpine.tsx')).RailSpine }));

export function Spine({ state, parts, self, rail, canSearch }: RoomView & { rail: Rail } & { canSearch: boolean }) {
  const { messages } = useUnseen(parts.chat, state.room.participants, self.uid, false);
  return (
    <Suspense>
      <RailSpine
        waiting={state.requests.length}
        people={state.room.people}
        messages={messages}
        canSearch={canSearch}
        onOpen={(shelf) => rail.open(shelf)}
        onUnfold={() => rail.setSpine(false)}
      />
    </Suspense>
  );
}
