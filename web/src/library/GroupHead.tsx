/** The head of an open artist, album or folder: its record, what it is, and what can be done with all of it. */
import type { LibraryGroup, LibraryTrack } from '@tunemate/protocol';
import { useState } from 'react';
import { AddAll, AddedNote } from '../catalogue/AddAll.tsx';
import { addedToQueue } from '../catalogue/adding-words.ts';
import type { TrackUse } from '../catalogue/ProposeButton.tsx';
import { useBusy } from '../store/use-busy.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { PlayNextIcon } from '../ui/icons/film-icons.tsx';
import { BackIcon } from '../ui/icons/icons.tsx';
import { Sleeve } from '../ui/records/Sleeve.tsx';
import { tileCode } from '../ui/records/tile-code.ts';
import { Vinyl } from '../ui/records/Vinyl.tsx';
import { Cover, GroupCard, PlaylistCover } from './GroupGrid.tsx';
import styles from './Library.module.css';
import type { LibraryModel, LibraryShown } from './library-model.ts';
import { playAllNext } from './PlaylistKeys.tsx';
import { groupName, librarySentences, openGroupFacts, playlistFacts, tabNames } from './library-words.ts';
import { t } from '../language/t.ts';

interface GroupHeadProps extends Pick<TrackUse, 'onEnqueueAll' | 'onEnqueueNext' | 'onDequeueAll'> {
  model: LibraryModel;
  shown: LibraryShown;
  group: LibraryGroup;
}

export function GroupHead({ model, shown, group, onEnqueueAll, onEnqueueNext, onDequeueAll }: GroupHeadProps) {
  const { tab, from } = shown;
  const [added, setAdded] = useState<readonly LibraryTrack[] | null>(null);
  const { isBusy, run } = useBusy();
  const addAll = async (add: NonNullable<TrackUse['onEnqueueAll']>): Promise<void> => {
    const tracks = await model.wholeGroup(group);
    const count = tracks.length === 0 ? 0 : await add(tracks);
    if (count > 0) setAdded(tracks.slice(0, count));
  };
  return (
    <>
      <Button variant="ghost" small className={styles.back} icon={<BackIcon />} onClick={() => model.closeGroup()}>
        {from === null ? tabNames[tab] : groupName(from, 'artist')}
      </Button>
      <div className={styles.detailHead}>
        {tab === 'album' ? (
          <Sleeve
            code={tileCode(group.id)}
            pictureUrl={group.thumbnail ?? undefined}
            record={<Vinyl pressed />}
            peek={0.23}
          />
        ) : tab === 'playlist' ? (
          <PlaylistCover {...group} size={96} />
        ) : (
          <Cover id={group.id} pictureUrl={group.thumbnail} size="96px" isRound={tab === 'artist'} />
        )}
        <div>
          <h3 dir="auto">{groupName(group, tab)}</h3>
          {tab === 'album' && group.artist !== null && <p dir="auto">{group.artist}</p>}
          <p className="meta">{tab === 'playlist' ? playlistFacts(group) : openGroupFacts(group)}</p>
        </div>
      </div>
      {added === null && onEnqueueAll && (
        <div className={styles.acts}>
          <AddAll isMain words={librarySentences.addAll(group.tracks)} onPress={() => addAll(onEnqueueAll)} />
          {(tab === 'album' || tab === 'playlist') && onEnqueueNext && (
            <Button
              variant="quiet"
              busy={isBusy}
              icon={<PlayNextIcon />}
              onClick={() => run(async () => playAllNext(await model.wholeGroup(group), onEnqueueNext))}
            >
              {t`Play next`}
            </Button>
          )}
        </div>
      )}
      {added !== null && (
        <AddedNote
          words={addedToQueue(added.length, Math.max(0, group.tracks - added.length))}
          onUndo={async () => {
            await onDequeueAll?.(added);
            setAdded(null);
          }}
        />
      )}
      {shown.albums.length > 0 && (
        <ul className={styles.albums} aria-label={tabNames.album}>
          {shown.albums.map((album) => (
            <li key={album.id}>
              <GroupCard group={{ ...album, artist: null }} kind="album" onPress={() => model.openAlbum(album)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
