/** In a room without any track: six of the library, for its host to begin with. */
import type { LibraryTrack, RoomCode, RoomKind } from '@tunemate/protocol';
import { useEffect, useEffectEvent, useState } from 'react';
import { useApp } from '../../app-context.ts';
import type { TrackUse } from '../../catalogue/ProposeButton.tsx';
import { t } from '../../language/t.ts';
import { MediaCard } from '../../ui/lists/MediaCard.tsx';
import { MediaCards } from '../../ui/lists/MediaCards.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { takeFirstTrack, triedState } from '../../store/first-track.ts';

const shownTracks = 6;

interface FirstTracksProps {
  kind: RoomKind;
  code: RoomCode;
  onChoose: NonNullable<TrackUse['onChoose']>;
}

export function FirstTracks({ kind, code, onChoose }: FirstTracksProps) {
  const { connection } = useApp();
  const [tracks, setTracks] = useState<readonly LibraryTrack[]>([]);
  const show = useEffectEvent((found: readonly LibraryTrack[]) => {
    setTracks(found.slice(0, shownTracks));
    const asked = takeFirstTrack();
    const first = asked === triedState ? found[0] : asked;
    if (first) onChoose(first);
  });
  useEffect(() => {
    const unmounted = new AbortController();
    void connection.request('library/tracks', { kind, code, view: { type: 'newest' }, from: 0 }).then((answer) => {
      if (!unmounted.signal.aborted) show(answer.ok ? answer.value.tracks : []);
    });
    return () => unmounted.abort();
  }, [connection, kind, code]);
  if (tracks.length === 0) return null;
  return (
    <Section title={t`Press a track to start`}>
      <MediaCards>
        {tracks.map((track) => (
          <li key={track.videoId}>
            <MediaCard
              title={track.title}
              label={t`Play ${track.title} for everybody`}
              id={track.videoId}
              pictureUrl={track.thumbnail ?? undefined}
              onPress={() => onChoose(track)}
            />
          </li>
        ))}
      </MediaCards>
    </Section>
  );
}
