/** The panels of a room: who has each, where it stands at each width, what its tab says, and its code. */
import type { JSXElementConstructor } from 'react';
import { JoinRequestIcon } from '../ui/icons/film-icons.tsx';
import { SearchIcon } from '../ui/icons/icons.tsx';
import { MessageIcon, PeopleIcon } from '../ui/icons/inside-icons.tsx';
import type { Elements } from '../ui/OwnText.tsx';
import type { InPanel } from './in-panel.ts';
import { Chat, Invite, Next, People, Requests, Search, Suggested } from './sidebar/RoomParts.tsx';
import type { Panel } from './sidebar/sidebar.ts';
import { t } from '../language/t.ts';

/** `choosers` can search: the guests, and of the host's tabs the one with the keys. */
type Who = 'everyone' | 'host' | 'choosers';
/** `below`: below the player. `left`: below it in the left column of an upright tablet. */
export type Area = 'below' | 'left' | 'sidebar';

export interface RoomPanel {
  readonly id: Panel;
  /** By default everyone. */
  readonly who?: Who;
  /** In full screen, where that is another answer. */
  readonly whoInFull?: Who;
  /** By default the sidebar. */
  readonly at?: { readonly wide: Area; readonly tablet: Area };
  /** Its turn in the one column of a phone, and among the tabs. */
  readonly turn: number;
  /** Its turn in that column while the board is shown, where that is another one. */
  readonly turnWithBoard?: number;
  /** Replaces it in wide view. An urgent one is there while it counts something; a fresh one counts what is new. */
  readonly tab?: {
    readonly label: string;
    readonly icon: Elements;
    readonly count?: 'waiting' | 'people' | 'unseen';
    readonly look?: 'urgent' | 'fresh';
  };
  readonly Part: JSXElementConstructor<InPanel>;
}

/** In the order of wide screens. */
const roomPanels: readonly RoomPanel[] = [
  {
    id: 'people',
    turn: 4,
    tab: { label: t`Participants`, icon: <PeopleIcon />, count: 'people' },
    Part: People,
  },
  { id: 'invite', turn: 5, Part: Invite },
  {
    id: 'requests',
    who: 'host',
    whoInFull: 'everyone',
    turn: 1,
    tab: { label: t`Pending Join Requests`, icon: <JoinRequestIcon />, count: 'waiting', look: 'urgent' },
    Part: Requests,
  },
  {
    id: 'search',
    who: 'choosers',
    at: { wide: 'sidebar', tablet: 'left' },
    turn: 2,
    turnWithBoard: 0,
    tab: { label: t`Search`, icon: <SearchIcon /> },
    Part: Search,
  },
  { id: 'next', at: { wide: 'below', tablet: 'left' }, turn: 3, Part: Next },
  { id: 'suggested', turn: 3, Part: Suggested },
  {
    id: 'chat',
    turn: 6,
    tab: { label: t`Room chat`, icon: <MessageIcon />, count: 'unseen', look: 'fresh' },
    Part: Chat,
  },
];

/** The panels of a person, in the order of wide screens. */
export const panelsOfPerson = (is: Readonly<Record<Who, boolean>>, isFull: boolean): readonly RoomPanel[] =>
  roomPanels.filter(({ who = 'everyone', whoInFull = who }) => is[isFull ? whoInFull : who]);

export const areaOf = ({ at }: RoomPanel, width: 'wide' | 'tablet' | 'phone'): Area =>
  (width !== 'phone' && at?.[width]) || 'sidebar';

export function inTurn(panels: readonly RoomPanel[], hasBoard: boolean): readonly RoomPanel[] {
  const turnOf = ({ turn, turnWithBoard = turn }: RoomPanel): number => (hasBoard ? turnWithBoard : turn);
  return panels.toSorted((one, other) => turnOf(one) - turnOf(other));
}
