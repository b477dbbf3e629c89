/** The operator's library: a search of its own, tabs, a list of groups and the tracks of one. */
import { parseVideoReferences } from '@tunemate/domain';
import type { LibraryGroup, LibraryTrack } from '@tunemate/protocol';
import { useState } from 'react';
import type { TrackUse } from '../catalogue/ProposeButton.tsx';
import { AddAll, AddedNote } from '../catalogue/AddAll.tsx';
import { addedToQueue, addLabel } from '../catalogue/adding-words.ts';
import { catalogueWords } from '../catalogue/catalogue-words.ts';
import { sentenceOf } from '../words/errors.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { classNames } from '../ui/class-names.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { SearchField } from '../ui/fields/SearchField.tsx';
import { PlayNextIcon } from '../ui/icons/film-icons.tsx';
import { PlusIcon } from '../ui/icons/page-icons.tsx';
import { PlayIcon } from '../ui/icons/marks.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { Sleeve } from '../ui/records/Sleeve.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { tileCode } from '../ui/records/tile-code.ts';
import rowStyles from '../ui/lists/Row.module.css';
import styles from './Library.module.css';
import { LinkKey } from './LinkKey.tsx';
import { VirtualRows } from './VirtualRows.tsx';
import { entryAt, type LibraryModel, libraryPageSize, type LibraryShown, type LibraryTab } from './library-model.ts';
import { counted, detailOf, groupFacts, groupName, librarySentences, tabNames, trackCount } from './library-words.ts';
import type { Elements } from '../ui/OwnText.tsx';
import { t } from '../language/t.ts';

interface LibraryBrowserProps extends TrackUse {
  model: LibraryModel;
  formatTime: (seconds: number) => string;
  onClose: () => void;
  /** A text with links to videos was searched for: they are not of the library. */
  onLinks: (text: string) => void;
}

export function LibraryBrowser({ model, onClose, onLinks, ...rest }: LibraryBrowserProps) {
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
          onSearch={() => (parseVideoReferences(typed) === null ? model.search(typed) : onLinks(typed))}
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
              <span>{`${sentenceOf(refusal)} `}</span>
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
          <span>{tabNames[tab]}</span>
          {totals !== null && (tab === 'artist' || tab === 'album') && (
            <span className={styles.count}>{counted(totals[tab])}</span>
          )}
        </button>
      ))}
    </nav>
  );
}

type PanesProps = Omit<LibraryBrowserProps, 'onClose' | 'onLinks'> & { shown: LibraryShown };

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
            <GroupHead key={group.id} {...props} group={group} />
            {shown.albums.length > 0 && <AlbumsOfArtist model={model} albums={shown.albums} />}
            {list(groupName(group, tab))}
          </>
        )}
      </div>
    </div>
  );
}

/** Name, facts and cover of the open group, and 'Add all' for the controlling tab. */
function GroupHead({ model, shown, group, onEnqueueAll, onDequeueAll }: PanesProps & { group: LibraryGroup }) {
  const { tab, from } = shown;
  const [added, setAdded] = useState<readonly LibraryTrack[] | null>(null);
  const addAll = async (add: NonNullable<TrackUse['onEnqueueAll']>): Promise<void> => {
    const tracks = await model.wholeGroup();
    const count = tracks.length === 0 ? 0 : await add(tracks);
    if (count > 0) setAdded(tracks.slice(0, count));
  };
  return (
    <>
      <div className={styles.detailHead}>
        <Button
          variant="ghost"
          small
          className={from === null ? styles.back : undefined}
          onClick={() => model.closeGroup()}
        >
          {from === null ? librarySentences.back : groupName(from, 'artist')}
        </Button>
        <Cover id={group.id} pictureUrl={group.thumbnail} size="72px" isRound={tab === 'artist'} />
        <div>
          <h3 dir="auto">{groupName(group, tab)}</h3>
          <p className="meta">{groupFacts(group)}</p>
        </div>
        {onEnqueueAll && added === null && (
          <AddAll words={librarySentences.addAll(group.tracks)} onPress={() => addAll(onEnqueueAll)} />
        )}
      </div>
      {added !== null && (
        <AddedNote
          words={addedToQueue(added.length, Math.max(0, group.tracks - added.length))}
          onUndo={async () => {
            await onDequeueAll?.(added);
            setAdded(null);
          }}
        />
      )}
    </>
  );
}

function AlbumsOfArtist({ model, albums }: { model: LibraryModel; albums: readonly LibraryGroup[] }) {
  return (
    <ul className={styles.albums} aria-label={tabNames.album}>
      {albums.map((album) => (
        <li key={album.id}>
          <button type="button" className={styles.album} onClick={() => model.openAlbum(album)}>
            <Cover id={album.id} pictureUrl={album.thumbnail} size="84px" />
            <strong>{groupName(album, 'album')}</strong>
            {album.year !== null && <span className="meta">{album.year}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}

const groupHeight = 52;
const groupsWorthLetters = 20;

/** Artists, albums or folders, with the letters that lead into the list. */
function GroupList({ model, shown }: { model: LibraryModel; shown: LibraryShown }) {
  const { tab, groups, letters, group: open } = shown;
  const [startAt, setStartAt] = useState(0);
  const indexOfLetter = (letter: string) => letters.find((each) => each.letter === letter)?.at ?? null;
  return (
    <div className={styles.groups}>
      <VirtualRows
        label={tabNames[tab]}
        count={groups.total ?? 0}
        rowHeight={groupHeight}
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
      <Cover id={group.id} pictureUrl={group.thumbnail} size="40px" isRound={tab === 'artist'} />
      <span className={classNames(rowStyles.words, styles.words)}>
        <strong dir="auto">{groupName(group, tab)}</strong>
        {group.artist && (
          <span className="meta" dir="auto">
            {group.artist}
          </span>
        )}
      </span>
      <span className={styles.count}>{counted(group.tracks)}</span>
    </>
  );
}

const trackHeight = 56;

interface TrackListProps extends TrackUse {
  model: LibraryModel;
  shown: LibraryShown;
  label: string;
  formatTime: (seconds: number) => string;
}

/** Tracks of a group, the newest, or what a search of the library found. */
function TrackList({ model, shown, label, formatTime, ...uses }: TrackListProps) {
  const { tracks, tab, group } = shown;
  // Each list begins at its top.
  return (
    <VirtualRows
      key={`${tab} ${group?.id ?? ''} ${shown.words}`}
      label={label}
      count={tracks.total ?? 0}
      rowHeight={trackHeight}
      onSight={(first, last) => model.needTracks(first, last)}
    >
      {(index) => {
        const track = entryAt(tracks, index, libraryPageSize);
        if (track === null) return <span className={styles.awaited} />;
        const detail = detailOf(track, shown);
        return (
          <div className={styles.track}>
            <MainKey
              track={track}
              before={
                <>
                  {group !== null && tab === 'album' && <span className={styles.number}>{index + 1}</span>}
                  <Cover id={track.videoId} pictureUrl={track.thumbnail} size="40px" />
                </>
              }
              detail={detail}
              {...uses}
            >
              <span className={styles.count}>
                {track.durationSeconds !== null && formatTime(track.durationSeconds)}
              </span>
            </MainKey>
            <QueueKeys track={track} {...uses} />
            <LinkKey track={track} />
          </div>
        );
      }}
    </VirtualRows>
  );
}

const detailIdOf = ({ videoId }: LibraryTrack): string => `detail-${videoId}`;

interface MainKeyProps extends TrackUse {
  track: LibraryTrack;
  before: Elements;
  detail: string;
  children: Elements;
}

/** The row itself: plays its track for the host, proposes or adds it for guests; plain where neither is possible. */
function MainKey({ track, before, detail, children, onChoose, onPropose, everyoneAdds }: MainKeyProps) {
  const act = onChoose ?? onPropose;
  const verb = onChoose ? t`Play` : everyoneAdds ? catalogueWords.add : catalogueWords.propose;
  // The name of the key is what it does to which track; the rest describes it.
  const content = (
    <>
      <span className={styles.lead} aria-hidden="true">
        {before}
      </span>
      <span className={classNames(rowStyles.words, styles.words)}>
        <strong>
          {act && <VisuallyHidden>{`${verb} `}</VisuallyHidden>}
          <span dir="auto">{track.name}</span>
          {act && !onChoose && everyoneAdds && <VisuallyHidden>{` ${t`to the queue`}`}</VisuallyHidden>}
        </strong>
        {detail !== '' && (
          <span id={detailIdOf(track)} className="meta" dir="auto" aria-hidden={act !== undefined || undefined}>
            {detail}
          </span>
        )}
      </span>
      <span aria-hidden={act !== undefined || undefined}>{children}</span>
    </>
  );
  if (act === undefined) return <div className={styles.main}>{content}</div>;
  return (
    <button
      type="button"
      className={styles.main}
      aria-describedby={detail === '' ? undefined : detailIdOf(track)}
      onClick={() => act(track)}
    >
      {content}
      {onChoose ? (
        <PlayIcon size={18} />
      ) : (
        <span className={styles.chip} aria-hidden="true">
          {verb}
        </span>
      )}
    </button>
  );
}

function QueueKeys({ track, onEnqueue, onEnqueueNext }: TrackUse & { track: LibraryTrack }) {
  const { name } = track;
  const keys = [
    { label: t`Play ${name} next`, icon: <PlayNextIcon />, add: onEnqueueNext },
    { label: addLabel(name), icon: <PlusIcon />, add: onEnqueue },
  ];
  return (
    <>{keys.map(({ add, ...key }) => add && <IconButton key={key.label} {...key} onClick={() => void add(track)} />)}</>
  );
}

interface CoverProps {
  id: string;
  pictureUrl: string | null;
  size: string;
  /** People are round, records square. */
  isRound?: boolean;
}

function Cover({ id, pictureUrl, size, isRound }: CoverProps) {
  const sleeve = <Sleeve code={tileCode(id)} pictureUrl={pictureUrl ?? undefined} size={size} />;
  return isRound ? <span className={styles.round}>{sleeve}</span> : sleeve;
}
