/** Artists, albums or folders, with the letters that lead into the list. */
import { useState } from 'react';
import type { LibraryGroup } from '@tunemate/protocol';
import { classNames } from '../ui/class-names.ts';
import { counted, groupName, tabNames } from './library-copy.ts';
import { libraryPageSize, type LibraryModel, type LibraryShown } from './library-model.ts';
import styles from './Library.module.css';
import { entryAt } from './paged-list.ts';
import { VirtualRows } from './VirtualRows.tsx';

const rowHeight = 52;
/** What is shorter is in sight almost at once. */
const groupsWorthLetters = 20;

export function GroupList({ model, shown }: { model: LibraryModel; shown: LibraryShown }) {
  const { tab, groups, letters, group: open } = shown;
  const [startAt, setStartAt] = useState(0);
  const indexOfLetter = (letter: string) => letters.find((each) => each.letter === letter)?.at ?? null;
  return (
    <div className={styles.groups}>
      <VirtualRows
        label={tabNames[tab]}
        count={groups.total ?? 0}
        rowHeight={rowHeight}
        startAt={startAt}
        indexOfLetter={indexOfLetter}
        onSight={(first, last) => model.needGroups(first, last)}
      >
        {(index) => {
          const group = entryAt(groups, index, libraryPageSize);
          if (group === null) return <span className={styles.awaited} />;
          const isOpen = group.id === open?.id;
          return (
            <button
              type="button"
              aria-current={isOpen || undefined}
              className={classNames(styles.group, isOpen && styles.open)}
              onClick={() => model.openGroup(group)}
            >
              <GroupWords group={group} tab={tab} />
            </button>
          );
        }}
      </VirtualRows>
      {letters.length > 3 && (groups.total ?? 0) > groupsWorthLetters && (
        <div className={styles.letters} aria-hidden="true">
          {letters.map(({ letter, at }) => (
            <button key={letter} type="button" tabIndex={-1} onClick={() => setStartAt(at)}>
              {letter}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function GroupWords({ group, tab }: { group: LibraryGroup; tab: LibraryShown['tab'] }) {
  return (
    <>
      <span className={styles.words}>
        <strong>{groupName(group, tab)}</strong>
        {group.artist && <span className="meta">{group.artist}</span>}
      </span>
      <span className={styles.count}>{counted(group.tracks)}</span>
    </>
  );
}
