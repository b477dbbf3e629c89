/** The tracks of a saved queue, for a guest to propose one, or to add it where everybody adds. */
import type { NamedTrack, SavedQueue } from '@tunemate/protocol';
import { useEffect, useState } from 'react';
import { useApp } from '../../app-context.ts';
import type { TrackUse } from '../../catalogue/ProposeButton.tsx';
import { List } from '../../ui/lists/List.tsx';
import { Row } from '../../ui/lists/Row.tsx';
import { sentenceOf } from '../../words/errors.ts';
import { Again } from '../history/PlayedList.tsx';
import { goneWords, queueWords } from './queue-words.ts';

interface ProposeFromProps extends Pick<TrackUse, 'everyoneAdds'> {
  queue: SavedQueue;
  onPropose: (track: NamedTrack) => void;
}

export function ProposeFrom({ queue: { queueId, name, tracks: total }, onPropose, everyoneAdds }: ProposeFromProps) {
  const { connection } = useApp();
  const [tracks, setTracks] = useState<readonly NamedTrack[]>([]);
  const [said, setSaid] = useState('');
  useEffect(() => {
    let isGone = false;
    void connection.request('queues/read', { queueId }).then((answer) => {
      if (isGone) return;
      if (!answer.ok) return setSaid(sentenceOf(answer.error));
      setTracks(answer.value.tracks);
      if (answer.value.gone > 0) setSaid(goneWords(answer.value.gone, total));
    });
    return () => {
      isGone = true;
    };
  }, [connection, queueId, total]);
  const label = (title: string) => (everyoneAdds ? queueWords.addFrom : queueWords.proposeFrom)(title, name);
  return (
    <>
      <List label={name}>
        {tracks.map((track, at) => (
          // A queue may hold a track twice.
          <li key={`${track.videoId} ${String(at)}`}>
            <Row title={track.title} trail={<Again label={label} add={onPropose} track={track} />} />
          </li>
        ))}
      </List>
      {said && <p className="meta">{said}</p>}
    </>
  );
}
