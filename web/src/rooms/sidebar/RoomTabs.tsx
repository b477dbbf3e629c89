/** The rail in wide view, loaded when it is first wanted, with what it counts. */
import { Suspense } from 'react';
import { useUnseen } from '../chat/use-unseen.ts';
import type { RoomView } from '../visit/Stage.tsx';
import type { Rail } from './use-sidebar.ts';
import { lazyPart } from '../../store/lazy-part.ts';

const RailSpine = lazyPart(async () => (await import('./SidebarTabs.tsx')).RailSpine);

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
        onMissing={() => rail.setSpine(false)}
      />
    </Suspense>
  );
}
