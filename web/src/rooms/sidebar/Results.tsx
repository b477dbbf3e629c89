/** What the search of a room found, or the library. Loaded with the first of them. */
import type { TrackUse } from '../../catalogue/ProposeButton.tsx';
import { SearchResults } from '../../catalogue/SearchResults.tsx';
import { LibraryPlace } from '../../library/LibraryPlace.tsx';
import { factsOf } from '../room-kinds.ts';
import type { RoomView } from '../visit/visit.ts';

export function Results({
  kind,
  visit,
  use,
  isLibrary,
}: Pick<RoomView, 'kind' | 'visit'> & { use: TrackUse; isLibrary: boolean }) {
  const { formatTime } = factsOf(kind);
  if (!isLibrary) return <SearchResults model={visit.search} formatTime={formatTime} {...use} />;
  return (
    <LibraryPlace
      library={visit.library}
      formatTime={formatTime}
      onLinks={(text) => {
        visit.library.close();
        void visit.search.search(text);
      }}
      {...use}
    />
  );
}
