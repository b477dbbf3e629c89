/** The keys of a track in the library. */
import type { LibraryTrack, NamedTrack } from '@tunemate/protocol';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { PlusIcon } from '../ui/icons/icons.tsx';
import { PlayIcon } from '../ui/icons/marks.tsx';

/** `onEnqueue` is left out where there is no queue. */
export interface TrackKeysProps {
  onChoose: (track: NamedTrack) => void;
  onEnqueue?: ((track: NamedTrack) => void) | undefined;
}

export function TrackKeys({ track, onChoose, onEnqueue }: TrackKeysProps & { track: LibraryTrack }) {
  return (
    <>
      <IconButton label={`Play ${track.name}`} icon={<PlayIcon size={18} />} onClick={() => onChoose(track)} />
      {onEnqueue && (
        <IconButton label={`Add ${track.name} to the queue`} icon={<PlusIcon />} onClick={() => onEnqueue(track)} />
      )}
    </>
  );
}
