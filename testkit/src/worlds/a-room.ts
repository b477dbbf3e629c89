/** A room that has played nothing and of whose people nothing is known, for suggestions. */
import type { RoomFacts } from '../../../server/src/catalogue/suggested/library-suggestions.ts';

export const aRoom = (about: Partial<RoomFacts> = {}): RoomFacts => ({
  ...{ played: [], waiting: [], votes: new Map(), after: new Map(), often: [] },
  togetherOf: () => Promise.resolve(new Map()),
  ...{ seed: 1, step: 0, nowMs: 1_800_000_000_000 },
  ...about,
});
