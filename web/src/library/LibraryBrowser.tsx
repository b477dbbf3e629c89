/**
 * The operator's library to look through: a search of its own, tabs, a list of groups and the tracks of one. What a
 * track's buttons do is the room's.
 */
import { useState } from 'react';
import { limits } from '@tunemate/protocol';
import { sentenceOf } from '../copy/errors.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { SearchField } from '../ui/fields/SearchField.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { Cover } from './Cover.tsx';
import { GroupList } from './GroupList.tsx';
import { counted, groupFacts, groupName, librarySentences, tabNames, trackCount } from './library-copy.ts';
import type { LibraryModel, LibraryShown, LibraryTab } from './library-model.ts';
import styles from './Library.module.css';
import type { TrackUse } from '../catalogue/ProposeButton.tsx';
import { TrackList } from './TrackList.tsx';

export interface LibraryBrowserProps extends TrackUse {
  model: LibraryModel;
  formatTime: (seconds: number) => string;
  onClose: () => void;
}

export function LibraryBrowser({ model, onClose, ...rest }: LibraryBrowserProps) {
  const shown = useReadable(model.shown);
  const [typed, setTyped] = useState('');
  const { totals, refusal } = shown;
  return (
    <Section
      title={librarySentences.library}
      count={totals === null ? undefined : trackCount(totals.tracks)}
      flush
      action={
        <Button variant="ghost" small onClick={onClose}>
          {librarySentences.close}
        </Button>
      }
    >
      <div className={styles.browser}>
        <SearchField
          label={librarySentences.search}
          placeholder={librarySentences.search}
          action={librarySentences.find}
          value={typed}
          onChange={(words) => {
            setTyped(words);
            if (words === '') model.search('');
          }}
          onSearch={() => model.search(typed)}
          maxLength={limits.searchQueryLength}
        />
        <Tabs
          shown={shown}
          onTab={(tab) => {
            setTyped('');
            model.openTab(tab);
          }}
        />
        <output className={styles.state}>
          {refusal !== null && (
            <>
              {sentenceOf(refusal)}{' '}
              <Button variant="ghost" small onClick={() => model.retry()}>
                {librarySentences.retry}
              </Button>
            </>
          )}
        </output>
        <Panes model={model} shown={shown} {...rest} />
      </div>
    </Section>
  );
}

const tabs: readonly LibraryTab[] = ['artist', 'album', 'folder', 'newest'];

/** Tabs that would be empty are left out. */
function Tabs({ shown, onTab }: { shown: LibraryShown; onTab: (tab: LibraryTab) => void }) {
  const { tab: open, totals, words } = shown;
  const offered = tabs.filter((tab) => tab === open || tab === 'newest' || totals === null || totals[tab] > 0);
  return (
    <nav className={styles.tabs} aria-label={librarySentences.library}>
      {offered.map((tab) => (
        <button
          key={tab}
          type="button"
          aria-current={(tab === open && words === '') || undefined}
          onClick={() => onTab(tab)}
        >
          {tabNames[tab]}
          {totals !== null && (tab === 'artist' || tab === 'album') && (
            <span className={styles.count}>{counted(totals[tab])}</span>
          )}
        </button>
      ))}
    </nav>
  );
}

type PanesProps = Omit<LibraryBrowserProps, 'onClose'> & { shown: LibraryShown };

/** Groups and tracks side by side where there is space; else the tracks take the place of the groups. */
function Panes(props: PanesProps) {
  const { model, shown } = props;
  const { totals, tab, words, group, tracks, refusal } = shown;
  if (totals?.tracks === 0) return <EmptyState message={librarySentences.empty} hint={librarySentences.emptyHint} />;
  const list = (label: string) => <TrackList {...props} label={label} />;
  const isLoading = refusal === null && (words !== '' || tab === 'newest') && tracks.total === null;
  if (isLoading) return <p className={styles.hint}>{librarySentences.loading}</p>;
  if (words !== '') {
    return tracks.total === 0 ? <p className={styles.hint}>{librarySentences.nothingFound}</p> : list(words);
  }
  if (tab === 'newest') return list(tabNames.newest);
  return (
    <div className={classNames(styles.panes, group !== null && styles.inGroup)}>
      <GroupList model={model} shown={shown} />
      <div className={styles.detail}>
        {group === null ? (
          <p className={styles.hint}>{librarySentences.choose}</p>
        ) : (
          <>
            <div className={styles.detailHead}>
              <Button variant="ghost" small className={styles.back} onClick={() => model.closeGroup()}>
                {librarySentences.back}
              </Button>
              <Cover id={group.id} pictureUrl={group.thumbnail} size="72px" />
              <div>
                <h3>{groupName(group, tab)}</h3>
                <p className="meta">{groupFacts(group)}</p>
              </div>
            </div>
            {list(groupName(group, tab))}
          </>
        )}
      </div>
    </div>
  );
}
