/**
 * Who holds the controls of a room, as this tab must understand it: one tab of the host at a time (HOST-3). Pure.
 */

/** 'guest': not the host's tab at all. 'free': nobody holds control yet. */
export type Control = 'guest' | 'free' | 'mine' | 'elsewhere';

/** Reads the holder of control from the playback document. */
export function controlOf(isHost: boolean, tabId: string, controller: string | null): Control {
  if (!isHost) return 'guest';
  if (controller === null) return 'free';
  return controller === tabId ? 'mine' : 'elsewhere';
}
