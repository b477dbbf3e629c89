/** The one list of the sources of the library beside its folder, in the order in which their items are listed. */
import type { Config } from '../../config.ts';
import type { Source, SourceParts } from './source.ts';
import { openSubsonic } from './subsonic/open-subsonic.ts';

/** Each answers null where it is not set up, and throws what only the operator can mend. */
const all: readonly ((parts: SourceParts & SourceSettings) => Promise<Source | null>)[] = [openSubsonic];

/** Their settings; what is left out is not set up. */
export type SourceSettings = Partial<Pick<Config, 'subsonic'>>;

/** Those that are set up. */
export async function openSources(parts: SourceParts & SourceSettings): Promise<Source[]> {
  const opened = await Promise.all(all.map((open) => open(parts)));
  return opened.filter((source) => source !== null);
}
