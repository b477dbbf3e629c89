/** The keys in the row of a playlist: all of it next, or at the end of the queue. */
import type { LibraryGroup, LibraryTrack } from '@tunemate/protocol';
import { addedToQueue, addLabel } from '../catalogue/adding-words.ts';
import type { TrackUse } from '../catalogue/ProposeButton.tsx';
import { t } from '../language/t.ts';
import { useBusy } from '../store/use-busy.ts';
import { Spinner } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { useToast } from '../ui/feedback/toasts.ts';
import { PlayNextIcon } from '../ui/icons/film-icons.tsx';
import { PlusIcon } from '../ui/icons/page-icons.tsx';
import type { LibraryModel } from './library-model.ts';

export type GroupUse = Pick<TrackUse, 'onEnqueueAll' | 'onEnqueueNext'>;

interface PlaylistKeysProps extends GroupUse {
  model: LibraryModel;
  group: LibraryGroup;
}

export function PlaylistKeys({ model, group, onEnqueueAll, onEnqueueNext }: PlaylistKeysProps) {
  const toast = useToast();
  const { isBusy, run } = useBusy();
  const name = group.name ?? '';
  const add = async (addAll: NonNullable<TrackUse['onEnqueueAll']>): Promise<void> => {
    const tracks = await model.wholeGroup(group);
    const count = tracks.length === 0 ? 0 : await addAll(tracks);
    if (count > 0) toast(addedToQueue(count, Math.max(0, group.tracks - count)));
  };
  return (
    <>
      {onEnqueueNext && (
        <IconButton
          label={t`Play ${name} next`}
          icon={<PlayNextIcon />}
          aria-busy={isBusy || undefined}
          onClick={() => run(async () => playAllNext(await model.wholeGroup(group), onEnqueueNext))}
        />
      )}
      {onEnqueueAll && (
        <IconButton
          label={addLabel(name)}
          icon={isBusy ? <Spinner /> : <PlusIcon />}
          aria-busy={isBusy || undefined}
          onClick={() => run(() => add(onEnqueueAll))}
        />
      )}
    </>
  );
}

/** The last one first: each goes before those that were put there. */
export async function playAllNext(
  tracks: readonly LibraryTrack[],
  add: NonNullable<TrackUse['onEnqueueNext']>,
): Promise<void> {
  for (const track of tracks.toReversed()) if (!(await add(track))) return;
}
