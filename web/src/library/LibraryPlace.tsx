/** The library where a room shows it, loaded when it is first opened. */
import { LoadingScreen } from '../ui/feedback/LoadingScreen.tsx';
import { useReadable } from '../store/use-readable.ts';
import type { OpenLibrary } from './open-library.ts';
import type { TrackUse } from '../catalogue/ProposeButton.tsx';
import { lazyPart } from '../store/lazy-part.ts';

const Browser = lazyPart(async () => (await import('./LibraryBrowser.tsx')).LibraryBrowser);

interface LibraryPlaceProps extends TrackUse {
  library: OpenLibrary;
  formatTime: (seconds: number) => string;
  /** The links of a text are looked up by the room's search, in whose place the library stands. */
  onLinks: (text: string) => void;
}

export function LibraryPlace({ library, ...use }: LibraryPlaceProps) {
  const model = useReadable(library.model);
  if (model === null) return null;
  return <Browser fallback={<LoadingScreen fill={false} />} model={model} {...use} onClose={() => library.close()} />;
}
