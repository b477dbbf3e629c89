/** Below the queue: suggestions, where the kind of room has them, and what was played. */
import { ProposeButton, type TrackUse } from '../../catalogue/ProposeButton.tsx';
import { useReadable } from '../../store/use-readable.ts';
import { Played } from '../history/Played.tsx';
import { factsOf } from '../room-kinds.ts';
import type { RoomView } from './visit.ts';
import { MediaCard } from '../../ui/lists/MediaCard.tsx';
import { MediaCards } from '../../ui/lists/MediaCards.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { catalogueWords } from '../../catalogue/catalogue-words.ts';
import styles from '../../catalogue/SearchResults.module.css';
import type { SuggestionsModel } from '../../catalogue/catalogue-model.ts';

export function BelowQueue({
  kind,
  parts,
  state,
  use,
}: Pick<RoomView, 'kind' | 'parts' | 'state'> & { use: TrackUse }) {
  return (
    <>
      {factsOf(kind).panels.upNext === 'suggestions' && <SuggestedList model={parts.suggestions} {...use} />}
      <Played {...{ parts, state, use }} />
    </>
  );
}

interface SuggestedListProps extends TrackUse {
  model: SuggestionsModel;
}

/** Suggestions for the next track, as cards: one press plays or proposes it. */
function SuggestedList({ model, onChoose, onPropose, everyoneAdds, standingOf }: SuggestedListProps) {
  const { items } = useReadable(model.suggestions);
  return (
    <Section title={catalogueWords.suggested}>
      {items !== null && items.length === 0 && <p className={styles.words}>{catalogueWords.noSuggestions}</p>}
      {items !== null && items.length > 0 && (
        <MediaCards>
          {items.map((item) => (
            <li key={item.videoId}>
              <MediaCard
                title={item.title}
                id={item.videoId}
                pictureUrl={item.thumbnail ?? undefined}
                onPress={onChoose && (() => onChoose(item))}
              />
              {onPropose && (
                <ProposeButton
                  title={item.title}
                  block
                  everyoneAdds={everyoneAdds}
                  standing={standingOf?.(item.videoId)}
                  onPress={() => void onPropose(item)}
                />
              )}
            </li>
          ))}
        </MediaCards>
      )}
    </Section>
  );
}
