/** What the panels of a room are given. */
import type { TrackUse } from '../catalogue/ProposeButton.tsx';
import type { Moderation } from './hosting/hosting.tsx';
import type { Sidebar } from './sidebar/sidebar.ts';
import type { RoomView } from './visit/visit.ts';

/** What each panel gets. */
export interface InPanel extends RoomView {
  readonly sidebar: Sidebar;
  readonly moderation: Moderation;
  readonly use: TrackUse;
  readonly onInvite: () => void;
  readonly isFull: boolean;
  /** The board to begin with is in the player's place. */
  readonly hasBoard: boolean;
  readonly finding: Finding;
}

/** What the search or the library shows: with `hasResults` in the place of its results. */
export interface Finding {
  readonly hasResults: boolean;
  readonly isSearching: boolean;
  readonly library: 'sidebar' | 'stage' | null;
}
