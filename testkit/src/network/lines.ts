/**
 * The lines that one person can have to the server at once: the tab that was there first, a second one, and one that was
 * cut off and came back under its id. Access is the person's, so each line must get the same answers.
 */
import type { SocketWorld, Tab } from '../worlds/socket-world.ts';

export const lines = ['first', 'second', 'resumed'] as const;
export type Line = (typeof lines)[number];

/** All lines of the person of this tab. The second is opened at `elsewhere`, which may be another process. */
export async function linesOf(first: Tab, here: SocketWorld, elsewhere: SocketWorld): Promise<Record<Line, Tab>> {
  const second = await elsewhere.connect(first);
  const lost = await here.connect(first);
  lost.cut();
  return { first, second, resumed: await here.connect(first, lost.tabId) };
}
