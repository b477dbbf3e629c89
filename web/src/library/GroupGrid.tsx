/** Artists and albums as a grid of covers, genres as tiles, playlists with four covers, folders as a list, with the letters that lead into it. */
import type { LibraryGroup } from '@tunemate/protocol';
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { Button } from '../ui/buttons/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import rowStyles from '../ui/lists/Row.module.css';
import { Sleeve } from '../ui/records/Sleeve.tsx';
import { Tile } from '../ui/records/Tile.tsx';
import { tileCode } from '../ui/records/tile-code.ts';
import styles from './Library.module.css';
import { entryAt, type LibraryModel, libraryPageSize, type LibraryShown } from './library-model.ts';
import { counted, groupFacts, groupName, librarySentences, playlistFacts, tabNames } from './library-words.ts';
import { type GroupUse, PlaylistKeys } from './PlaylistKeys.tsx';
import { VirtualRows } from './VirtualRows.tsx';

const rowHeights = { genre: 68, playlist: 80, folder: 52, newest: 0 };
const groupsWorthLetters = 20;
/** Of a card with its gap. */
const leastCard = { album: 158, artist: 116 };
/** What stands below a cover. */
const wordsHeight = { album: 108, artist: 84 };

interface GroupGridProps extends GroupUse {
  model: LibraryModel;
  shown: LibraryShown;
}

export function GroupGrid({ model, shown, onEnqueueAll, onEnqueueNext }: GroupGridProps) {
  const { tab, groups, letters } = shown;
  const [startAt, setStartAt] = useState(shown.place ?? 0);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const indexOfLetter = (letter: string) => letters.find((each) => each.letter === letter)?.at ?? null;
  const kind = tab === 'album' || tab === 'artist' ? tab : null;
  const ofGenres = tab === 'genre' ? 2 : 1;
  const columns = kind === null ? ofGenres : Math.max(2, Math.floor(width / leastCard[kind]));
  const rowHeight =
    tab === 'album' || tab === 'artist' ? Math.round(width / columns) - 16 + wordsHeight[tab] : rowHeights[tab];
  return (
    <div className={styles.groups}>
      <div ref={box}>
        {tab === 'album' && <Order model={model} shown={shown} />}
        {width > 0 && (
          <VirtualRows
            key={`${String(columns)} ${shown.order}`}
            label={tabNames[tab]}
            count={groups.total ?? 0}
            rowHeight={rowHeight}
            columns={columns}
            startAt={startAt}
            returnTo={shown.place}
            indexOfLetter={indexOfLetter}
            onSight={(first, last) => model.needGroups(first, last)}
          >
            {(index) => {
              const group = entryAt(groups, index, libraryPageSize);
              if (group === null) return <span className={styles.awaited} />;
              const open = (): void => model.openGroup(group, index);
              return kind === null ? (
                <>
                  <button type="button" className={styles.group} onClick={open}>
                    {tab === 'genre' && <GenreTile id={group.id} index={index} />}
                    {tab === 'playlist' && <PlaylistCover {...group} />}
                    <span className={classNames(rowStyles.words, styles.words)}>
                      <strong dir="auto">{groupName(group, tab)}</strong>
                      {tab !== 'folder' && (
                        <span className="meta">{tab === 'playlist' ? playlistFacts(group) : groupFacts(group)}</span>
                      )}
                    </span>
                    {tab === 'folder' && <span className={styles.count}>{counted(group.tracks)}</span>}
                  </button>
                  {tab === 'playlist' && <PlaylistKeys {...{ model, group, onEnqueueAll, onEnqueueNext }} />}
                </>
              ) : (
                <GroupCard group={group} kind={kind} onPress={open} />
              );
            }}
          </VirtualRows>
        )}
      </div>
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

/** In turn the three colours of a print. */
const prints = [
  { '--tile-back': 'var(--band)', '--tile-front': 'var(--ink)' },
  { '--tile-back': 'var(--paper)', '--tile-front': 'var(--ink)' },
  { '--tile-back': 'var(--ink)', '--tile-front': 'var(--band)' },
] as const;

/** One tile of the print that its name gives. */
function GenreTile({ id, index }: { id: string; index: number }) {
  return (
    <Tile
      character={tileCode(id).at(-1)}
      style={{ ...prints[index % prints.length], flex: 'none', width: '52px', borderRadius: 'var(--r-card)' }}
    />
  );
}

const four = {
  display: 'grid',
  flex: 'none',
  gridTemplateColumns: '1fr 1fr',
  overflow: 'hidden',
  borderRadius: 'var(--r-card)',
} as const;

/** The covers of four of its albums, or one where it has fewer. */
export function PlaylistCover({ id, covers, thumbnail, size = 64 }: LibraryGroup & { size?: number }) {
  if (!covers) return <Cover id={id} pictureUrl={thumbnail} size={`${String(size)}px`} />;
  return (
    <span style={{ ...four, width: size }}>
      {covers.map((url) => (
        <img key={url} src={url} alt="" width={size / 2} height={size / 2} style={{ objectFit: 'cover' }} />
      ))}
    </span>
  );
}

/** How albums are sorted, and the key to the other order. */
function Order({ model, shown: { order, totals } }: GroupGridProps) {
  if ((totals?.album ?? 0) < 2) return null;
  const isByName = order === 'name';
  return (
    <p style={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
      <span className="meta">{isByName ? librarySentences.byName : librarySentences.newestFirst}</span>
      <Button variant="ghost" small onClick={() => model.sort(isByName ? 'year' : 'name')}>
        {isByName ? librarySentences.sortByYear : librarySentences.sortByName}
      </Button>
    </p>
  );
}

interface GroupCardProps {
  group: LibraryGroup;
  kind: 'artist' | 'album';
  onPress: () => void;
}

/** A cover, uncropped, with what it is below it; an artist is round, and dashed with a letter without a picture. */
export function GroupCard({ group, kind, onPress }: GroupCardProps) {
  const { artist, thumbnail, id } = group;
  const name = groupName(group, kind);
  return (
    <button type="button" className={classNames(styles.card, kind === 'artist' && styles.person)} onClick={onPress}>
      {kind === 'artist' && thumbnail === null ? (
        <span className={styles.letter} aria-hidden="true">
          {Array.from(name)[0]?.toUpperCase()}
        </span>
      ) : (
        <Cover id={id} pictureUrl={thumbnail} size="100cqw" isRound={kind === 'artist'} />
      )}
      <strong dir="auto">{name}</strong>
      {kind === 'album' && artist !== null && <span dir="auto">{artist}</span>}
      <span className="meta">{groupFacts(group)}</span>
    </button>
  );
}

/** In pixels; 0 until it was measured. */
export function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

interface CoverProps {
  id: string;
  pictureUrl: string | null;
  size: string;
  /** People are round, records square. */
  isRound?: boolean;
}

export function Cover({ id, pictureUrl, size, isRound }: CoverProps) {
  const sleeve = <Sleeve code={tileCode(id)} pictureUrl={pictureUrl ?? undefined} size={size} />;
  return <span className={isRound ? styles.round : styles.cover}>{sleeve}</span>;
}
