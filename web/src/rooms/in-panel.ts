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

/** Whether the search has results or the library is open; in an audio room the library takes the place of the queue. */
export interface Finding {
  readonly hasResults: boolean;
  readonly isSearching: boolean;
  readonly isLibraryOpen: boolean;
  readonly isLibraryOnStage: boolean;
}
