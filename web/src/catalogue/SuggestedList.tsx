/** Suggestions for the next track, as cards: one press plays or proposes it. */
import type { VideoId } from '@tunemate/protocol';
import { useReadable } from '../store/use-readable.ts';
import { MediaCard } from '../ui/lists/MediaCard.tsx';
import { MediaCards } from '../ui/lists/MediaCards.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { catalogueWords } from './catalogue-words.ts';
import styles from './SearchResults.module.css';
import { ProposeButton, type Standing, type TrackUse } from './ProposeButton.tsx';
import type { SuggestionsModel } from './catalogue-model.ts';

interface SuggestedListProps extends Pick<TrackUse, 'onChoose' | 'onPropose' | 'everyoneAdds'> {
  model: SuggestionsModel;
  standingOf: (videoId: VideoId) => Standing;
}

export function SuggestedList({ model, onChoose, onPropose, everyoneAdds, standingOf }: SuggestedListProps) {
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
                  standing={standingOf(item.videoId)}
                  onPress={() => onPropose(item)}
                />
              )}
            </li>
          ))}
        </MediaCards>
      )}
    </Section>
  );
}
