/** Who asks to join, in the rail, and the answers: one by one, or all at once. */
import { DoorShelf } from './RequestsPanel.tsx';
import { factsOf } from '../room-kinds.ts';
import { useAnswer } from './use-answer.ts';
import type { Door } from './use-join-requests.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import type { RoomView } from '../visit/Stage.tsx';
import type { Rail } from '../sidebar/use-sidebar.ts';

export type DoorInRailProps = Pick<RoomView, 'kind' | 'session' | 'state'> & { rail: Rail; door: Door };

export function DoorInRail({ kind, session, state: { requests }, rail, door }: DoorInRailProps) {
  const answer = useAnswer(session, factsOf(kind).ink);
  const { shelves } = rail;
  return (
    <DoorShelf
      requests={requests}
      isFolded={shelves.door === 'folded'}
      rows={shelves.doorRows}
      onAnswer={answer}
      action={
        requests.length > 1 && (
          <Button
            variant="ghost"
            small
            busy={door.isAcceptingAll}
            onClick={() => void door.acceptAll(requests.map(({ uid }) => uid))}
          >
            Accept all
          </Button>
        )
      }
      onShowAll={() => rail.open('door')}
      onShowFewer={rail.isRaised && shelves.door === 'full' ? () => rail.lower() : undefined}
    />
  );
}
