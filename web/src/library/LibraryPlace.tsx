/** The library where a room shows it, loaded when it is first opened; with the keys of the person's role. */
import { lazy, Suspense } from 'react';
import type { NamedTrack } from '@tunemate/protocol';
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { useReadable } from '../store/use-readable.ts';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { PlusIcon } from '../ui/icons/icons.tsx';
import { PlayIcon } from '../ui/icons/marks.tsx';
import type { OpenLibrary } from './open-library.ts';

const Browser = lazy(async () => ({ default: (await import('./LibraryBrowser.tsx')).LibraryBrowser }));

/** `onEnqueue` is left out where there is no queue. */
export interface LibraryPlaceProps {
  library: OpenLibrary;
  formatTime: (seconds: number) => string;
  onChoose: (track: NamedTrack) => void;
  onEnqueue?: ((track: NamedTrack) => void) | undefined;
}

export function LibraryPlace({ library, formatTime, onChoose, onEnqueue }: LibraryPlaceProps) {
  const model = useReadable(library.model);
  if (model === null) return null;
  return (
    <Suspense fallback={<LoadingScreen fill={false} />}>
      <Browser
        model={model}
        formatTime={formatTime}
        onClose={() => library.close()}
        actions={(track) => (
          <>
            <IconButton label={`Play ${track.name}`} icon={<PlayIcon size={18} />} onClick={() => onChoose(track)} />
            {onEnqueue && (
              <IconButton
                label={`Add ${track.name} to the queue`}
                icon={<PlusIcon />}
                onClick={() => onEnqueue(track)}
              />
            )}
          </>
        )}
      />
    </Suspense>
  );
}
