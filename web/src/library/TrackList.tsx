/** Tracks of a group, the newest, or what a search of the library found. */
import type { LibraryTrack } from '@tunemate/protocol';
import { Cover } from './Cover.tsx';
import { libraryPageSize, type LibraryModel, type LibraryShown } from './library-model.ts';
import styles from './Library.module.css';
import { entryAt } from './paged-list.ts';
import { TrackButtons } from './TrackButtons.tsx';
import type { TrackUse } from '../catalogue/ProposeButton.tsx';
import { VirtualRows } from './VirtualRows.tsx';

const rowHeight = 56;

export interface TrackListProps extends TrackUse {
  model: LibraryModel;
  shown: LibraryShown;
  label: string;
  formatTime: (seconds: number) => string;
}

export function TrackList({ model, shown, label, formatTime, ...uses }: TrackListProps) {
  const { tracks, tab, group } = shown;
  // Each list begins at its top.
  return (
    <VirtualRows
      key={`${tab} ${group?.id ?? ''} ${shown.words}`}
      label={label}
      count={tracks.total ?? 0}
      rowHeight={rowHeight}
      onSight={(first, last) => model.needTracks(first, last)}
    >
      {(index) => {
        const track = entryAt(tracks, index, libraryPageSize);
        if (track === null) return <span className={styles.awaited} />;
        const detail = detailOf(track, shown);
        return (
          <div className={styles.track}>
            <Cover id={track.videoId} pictureUrl={track.thumbnail} size="40px" />
            <span className={styles.words}>
              <strong>{track.name}</strong>
              {detail !== '' && <span className="meta">{detail}</span>}
            </span>
            <span className={styles.count}>{track.durationSeconds !== null && formatTime(track.durationSeconds)}</span>
            <TrackButtons track={track} {...uses} />
          </div>
        );
      }}
    </VirtualRows>
  );
}

/** What the list has not said of the track yet. */
function detailOf({ artist, album }: LibraryTrack, { tab, group }: LibraryShown): string {
  const known = group === null ? null : tab;
  return [known === 'artist' ? null : artist, known === 'album' ? null : album].filter(Boolean).join(' · ');
}
