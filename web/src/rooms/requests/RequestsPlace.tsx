/** The place of the requests to join in the rail. Its code is fetched with the host's room, and drawn as soon as it is
   there: a request must not wait behind `lazy`. */
import { useFetched } from '../../store/use-fetched.ts';
import type { DoorInRailProps } from './RequestsInSidebar.tsx';

const fetchDoor = () => import('./RequestsInSidebar.tsx');

export function DoorPlace(props: DoorInRailProps) {
  const code = useFetched(fetchDoor);
  return code && <code.DoorInRail {...props} />;
}
