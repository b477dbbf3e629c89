/** Suggestions for the next track, as cards: one press plays it. */
import type { NamedTrack } from '@tunemate/protocol';
import { useReadable } from '../store/use-readable.ts';
import { MediaCard } from '../ui/lists/MediaCard.tsx';
import { MediaCards } from '../ui/lists/MediaCards.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { catalogueSentences } from './catalogue-copy.ts';
import styles from './SearchPanel.module.css';
import type { SuggestionsModel } from './suggestions-model.ts';

/** `onChoose` is left out for a tab that cannot choose; the cards are then plain. */
export interface SuggestedListProps {
  model: SuggestionsModel;
  onChoose?: ((track: NamedTrack) => void) | undefined;
}

export function SuggestedList({ model, onChoose }: SuggestedListProps) {
  const { items } = useReadable(model.suggestions);
  return (
    <Section title={catalogueSentences.suggested}>
      {items !== null && items.length === 0 && <p className={styles.words}>{catalogueSentences.noSuggestions}</p>}
      {items !== null && items.length > 0 && (
        <MediaCards>
          {items.map((item) => (
            <li key={item.videoId}>
              <MediaCard
                title={item.title}
                pictureUrl={item.thumbnail ?? undefined}
                onPress={onChoose && (() => onChoose(item))}
              />
            </li>
          ))}
        </MediaCards>
      )}
    </Section>
  );
}
