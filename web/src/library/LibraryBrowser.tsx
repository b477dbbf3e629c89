/** The operator's library: a search of its own, tabs, a list of groups and the tracks of one. */
import { parseVideoReferences } from '@tunemate/domain';
import { type LibraryTrack, trackPath } from '@tunemate/protocol';
import { useEffect, useRef, useState } from 'react';
import type { TrackUse } from '../catalogue/ProposeButton.tsx';
import { addLabel } from '../catalogue/adding-words.ts';
import { catalogueWords } from '../catalogue/catalogue-words.ts';
import { sentenceOf } from '../words/errors.ts';
import { linkOrigin } from '../store/link-address.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { classNames } from '../ui/class-names.ts';
import { copyText } from '../ui/copy-text.ts';
import { WaitingLine } from '../ui/feedback/Waiting.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { useToast } from '../ui/feedback/toasts.ts';
import { SearchField } from '../ui/fields/SearchField.tsx';
import { LinkIcon } from '../ui/icons/door-icons.tsx';
import { PlayNextIcon } from '../ui/icons/film-icons.tsx';
import { CheckIcon, CloseIcon } from '../ui/icons/icons.tsx';
import { PlusIcon } from '../ui/icons/page-icons.tsx';
import { PlayIcon } from '../ui/icons/marks.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import rowStyles from '../ui/lists/Row.module.css';
import { Cover, GroupGrid, useWidth } from './GroupGrid.tsx';
import { GroupHead } from './GroupHead.tsx';
import styles from './Library.module.css';
import { VirtualRows } from './VirtualRows.tsx';
import { entryAt, type LibraryModel, libraryPageSize, type LibraryShown, type LibraryTab } from './library-model.ts';
import {
  counted,
  detailOf,
  groupName,
  librarySentences,
  readSoFar,
  sourceName,
  tabNames,
  trackCount,
} from './library-words.ts';
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
  // What an open artist, album or folder contains has the place of the search and the tabs: Back leads to them.
  const isInside = shown.group !== null && shown.words === '';
  return (
    <Section
      title={librarySentences.library}
      count={totals === null ? undefined : trackCount(totals.tracks)}
      flush
      action={<IconButton label={librarySentences.close} icon={<CloseIcon />} onClick={onClose} />}
    >
      <div className={styles.browser}>
        {!isInside && (
          <>
            <div style={line}>
              <div style={{ flex: '1 1 10rem' }}>
                <SearchField
                  label={librarySentences.search}
                  placeholder={librarySentences.search}
                  value={typed}
                  onChange={(words) => {
                    setTyped(words);
                    if (words === '') model.search('');
                  }}
                  onSearch={() => (parseVideoReferences(typed) === null ? model.search(typed) : onLinks(typed))}
                />
              </div>
              {shown.sources.length > 1 && <SourceKey model={model} shown={shown} />}
            </div>
            <Tabs
              shown={shown}
              onTab={(tab) => {
                setTyped('');
                model.openTab(tab);
              }}
            />
          </>
        )}
        <Reading model={model} reading={shown.reading} />
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

const line = { display: 'flex', flexWrap: 'wrap', gap: '8px' } as const;
const key = {
  maxWidth: '100%',
  minHeight: '48px',
  padding: '0 12px',
  border: 0,
  borderRadius: 'var(--r-key)',
  background: 'var(--raise)',
  boxShadow: 'inset 0 0 0 1.5px var(--line-strong)',
  color: 'inherit',
  font: 'inherit',
  fontWeight: 'var(--w-mid)',
} as const;

/** What is looked through: all music, the folder, or a server. */
function SourceKey({ model, shown: { source, sources } }: { model: LibraryModel; shown: LibraryShown }) {
  return (
    <select
      style={key}
      aria-label={librarySentences.source}
      value={source ?? ''}
      onChange={({ target }) => model.chooseSource(target.value || null)}
    >
      <option value="">{librarySentences.allSources}</option>
      {sources.map(({ name, server }) => (
        <option key={name} value={name}>
          {sourceName(server)}
        </option>
      ))}
    </select>
  );
}

const lookEveryMs = 3000;

/** How far the server has read; what it lists grows meanwhile. */
function Reading({ model, reading }: { model: LibraryModel; reading: LibraryShown['reading'] }) {
  const isReading = reading !== null && reading !== undefined;
  useEffect(() => {
    if (!isReading) return undefined;
    const timer = setInterval(() => model.lookAgain(), lookEveryMs);
    return () => clearInterval(timer);
  }, [model, isReading]);
  return isReading && <p className={styles.hint}>{readSoFar(reading)}</p>;
}

const tabs: readonly LibraryTab[] = ['artist', 'album', 'genre', 'playlist', 'folder', 'newest'];

/** Tabs that would be empty are left out. The open one has its number, so that all fit a phone. */
function Tabs({ shown, onTab }: { shown: LibraryShown; onTab: (tab: LibraryTab) => void }) {
  const { tab: open, totals, words } = shown;
  const offered = tabs.filter((tab) => tab === open || tab === 'newest' || totals === null || totals[tab] > 0);
  const isOpen = (tab: LibraryTab): boolean => tab === open && words === '';
  return (
    <nav className={styles.tabs} aria-label={librarySentences.library}>
      {offered.map((tab) => (
        <button key={tab} type="button" aria-current={isOpen(tab) || undefined} onClick={() => onTab(tab)}>
          <span>{tabNames[tab]}</span>
          {isOpen(tab) && totals !== null && tab !== 'newest' && tab !== 'folder' && (
            <span className={styles.count}>{counted(totals[tab])}</span>
          )}
        </button>
      ))}
    </nav>
  );
}

type PanesProps = Omit<LibraryBrowserProps, 'onClose' | 'onLinks'> & { shown: LibraryShown };

/** The tracks of a group take the place of the groups. */
function Panes(props: PanesProps) {
  const { shown } = props;
  const { totals, tab, words, group, tracks, refusal } = shown;
  if (totals?.tracks === 0 && shown.source === null)
    return <EmptyState message={librarySentences.empty} hint={librarySentences.emptyHint} />;
  const list = (label: string) => <TrackList {...props} label={label} />;
  const isLoading = refusal === null && (words !== '' || tab === 'newest') && tracks.total === null;
  if (isLoading) {
    return (
      <p className={styles.hint}>
        <WaitingLine loading={librarySentences.loading} />
      </p>
    );
  }
  if (words !== '') {
    return tracks.total === 0 ? <p className={styles.hint}>{librarySentences.nothingFound}</p> : list(words);
  }
  if (tab === 'newest') return list(tabNames.newest);
  if (group === null) return <GroupGrid key={tab} {...props} />;
  return (
    <>
      <GroupHead key={group.id} {...props} group={group} />
      {list(groupName(group, tab))}
    </>
  );
}

/** Where a title takes up to two lines, its length stands below it. */
const narrow = { upTo: 400, rowHeight: 76 };
const trackHeight = 52;

interface TrackListProps extends TrackUse {
  model: LibraryModel;
  shown: LibraryShown;
  label: string;
  formatTime: (seconds: number) => string;
}

/** Tracks of a group, the newest, or what a search of the library found. */
function TrackList({ model, shown, label, formatTime, ...uses }: TrackListProps) {
  const { tracks, tab, group } = shown;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const isAlbum = group !== null && tab === 'album';
  // Each list begins at its top.
  return (
    <div ref={box}>
      {width > 0 && (
        <VirtualRows
          key={`${tab} ${group?.id ?? ''} ${shown.words} ${String(width <= narrow.upTo)}`}
          label={label}
          count={tracks.total ?? 0}
          rowHeight={width <= narrow.upTo ? narrow.rowHeight : trackHeight}
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
                      {/* The cover of an album stands above it. */}
                      {isAlbum ? (
                        <span className={styles.number}>{index + 1}</span>
                      ) : (
                        <Cover id={track.videoId} pictureUrl={track.thumbnail} size="40px" />
                      )}
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
      )}
    </div>
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

/** A track that is in the queue already has a check in the place of its plus. */
function QueueKeys({ track, onEnqueue, onEnqueueNext, standingOf }: TrackUse & { track: LibraryTrack }) {
  const { name, videoId } = track;
  const isQueued = standingOf?.(videoId) === 'inQueue';
  return (
    <>
      {onEnqueueNext && (
        <IconButton label={t`Play ${name} next`} icon={<PlayNextIcon />} onClick={() => void onEnqueueNext(track)} />
      )}
      {onEnqueue && (
        <IconButton
          label={isQueued ? `${name}: ${catalogueWords.inQueue}` : addLabel(name)}
          icon={isQueued ? <CheckIcon /> : <PlusIcon />}
          aria-disabled={isQueued || undefined}
          onClick={() => !isQueued && void onEnqueue(track)}
        />
      )}
    </>
  );
}

/** Copies the link to a track, which becomes its card where it is pasted into a private message. */
function LinkKey({ track: { videoId, name } }: { track: LibraryTrack }) {
  const toast = useToast();
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(linkOrigin() + trackPath(videoId));
    toast(isCopied ? t`Link copied. Paste it into a message.` : t`The browser does not let pages copy`);
  };
  return <IconButton label={t`Copy the link to ${name}`} icon={<LinkIcon />} onClick={() => void copy()} />;
}
