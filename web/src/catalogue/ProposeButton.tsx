/** The actions on a track that was found, and the keys beside it: to add it to the queue, or to propose it. */
import type { CatalogueItem, NamedTrack, VideoId } from '@tunemate/protocol';
import { Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { PlusIcon } from '../ui/icons/page-icons.tsx';
import { addLabel } from './adding-words.ts';
import { catalogueWords } from './catalogue-words.ts';

type Use = ((track: NamedTrack) => void) | undefined;
/** Resolves to whether the room took it. */
type Adding = ((track: NamedTrack) => Promise<boolean>) | undefined;

/** Each is left out where this tab can't do it. */
export interface TrackUse {
  onChoose?: Use;
  onEnqueue?: Adding;
  /** Right after what plays. */
  onEnqueueNext?: Adding;
  /** Resolves to how many fit into the queue. */
  onEnqueueAll?: ((tracks: readonly NamedTrack[]) => Promise<number>) | undefined;
  /** Takes back what was added all at once. */
  onDequeueAll?: ((tracks: readonly NamedTrack[]) => Promise<number>) | undefined;
  onPropose?: Adding;
  /** Guests add to the queue instead of proposing. */
  everyoneAdds?: boolean | undefined;
  /** Of a track that a guest need not propose. */
  standingOf?: ((videoId: VideoId) => Standing) | undefined;
}

export type Standing = 'proposed' | 'inQueue' | null;

interface TrackKeysProps extends TrackUse {
  item: CatalogueItem;
}

export function TrackKeys({ item, onEnqueue, onPropose, everyoneAdds, standingOf }: TrackKeysProps) {
  return (
    <>
      {onEnqueue && (
        <IconButton label={addLabel(item.title)} icon={<PlusIcon />} onClick={() => void onEnqueue(item)} />
      )}
      {onPropose && (
        <ProposeButton
          title={item.title}
          everyoneAdds={everyoneAdds}
          standing={standingOf?.(item.videoId)}
          onPress={() => void onPropose(item)}
        />
      )}
    </>
  );
}

interface ProposeButtonProps extends Pick<TrackUse, 'everyoneAdds'> {
  title: string;
  standing?: Standing | undefined;
  onPress: () => void;
}

function ProposeButton({ title, everyoneAdds, standing = null, onPress }: ProposeButtonProps) {
  const { add, propose } = catalogueWords;
  if (standing !== null) {
    const words = catalogueWords[standing];
    return (
      <Button small variant="ghost" aria-disabled aria-label={`${title}: ${words}`}>
        {words}
      </Button>
    );
  }
  const label = everyoneAdds ? addLabel(title) : `${propose} ${title}`;
  return (
    <Button small aria-label={label} onClick={onPress}>
      {everyoneAdds ? add : propose}
    </Button>
  );
}
