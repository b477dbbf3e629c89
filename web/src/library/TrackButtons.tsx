/** The buttons of a track in the library. */
import type { LibraryTrack } from '@tunemate/protocol';
import { addLabel } from '../catalogue/catalogue-copy.ts';
import { ProposeButton, type TrackUse } from '../catalogue/ProposeButton.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { PlusIcon } from '../ui/icons/icons.tsx';
import { PlayIcon } from '../ui/icons/marks.tsx';

export function TrackButtons({ track, ...use }: TrackUse & { track: LibraryTrack }) {
  const { onChoose, onEnqueue, onPropose, everyoneAdds } = use;
  return (
    <>
      {onChoose && (
        <IconButton label={`Play ${track.name}`} icon={<PlayIcon size={18} />} onClick={() => onChoose(track)} />
      )}
      {onEnqueue && <IconButton label={addLabel(track.name)} icon={<PlusIcon />} onClick={() => onEnqueue(track)} />}
      {onPropose && <ProposeButton title={track.name} everyoneAdds={everyoneAdds} onPress={() => onPropose(track)} />}
    </>
  );
}
