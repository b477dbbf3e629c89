/** In a room whose host shares the remote: who holds it here, who pressed last, and the key that gives or takes it back. */
import type { RoomDocument } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { firstName } from '../../people/person-words.ts';
import type { PlaybackModel } from '../../playback/playback-model.ts';
import { isShownPlaying } from '../../playback/playback-view.ts';
import { playbackSentences } from '../../playback/playback-words.ts';
import { useReadable } from '../../store/use-readable.ts';
import { RemoteIcon } from '../../ui/icons/marks.tsx';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import { factsOf } from '../room-kinds.ts';
import { hostName } from '../visit/room-model.ts';
import styles from '../visit/NoticeLine.module.css';
import { pausedBy, presserIn } from './remote-words.ts';
import { t } from '../../language/t.ts';

// Loaded in one part with these words.
export { PausedPlate } from './PausedPlate.tsx';

interface RemoteProps {
  room: RoomDocument;
  selfUid: string;
  model: PlaybackModel;
}

/** The words in the place of the room's state, or after it: `hasStatus`. */
export function RemoteWords({ room, selfUid, model, hasStatus }: RemoteProps & { hasStatus: boolean }) {
  const view = useReadable(model.view);
  const { by } = view.playing;
  const isPlaying = isShownPlaying(view);
  const other = presserIn(room, by, selfUid);
  if (other !== null && !isPlaying && !hasStatus) return <strong>{pausedBy(other)}</strong>;
  if (view.control === 'remote') return <YouHoldIt lender={firstName(hostName(room))} />;
  if (other !== null) return <PressedLast name={other} />;
  if (hasStatus) return null;
  return <strong>{isPlaying ? playbackSentences.playing : playbackSentences.paused}</strong>;
}

const YouHoldIt = ({ lender }: { lender: string }) => (
  <>
    <RemoteIcon size={20} />
    <strong>{t`You hold the remote`}</strong>
    <span className={styles.people}>{t`lent by ${lender}`}</span>
  </>
);

const PressedLast = ({ name }: { name: string }) => (
  <>
    <RemoteIcon size={20} />
    <span className={styles.people}>{t`${name} pressed last`}</span>
  </>
);

/** For a person to whom it is lent by name, and for the host as long as another person pressed last. */
export function RemoteKey({ room, selfUid, model }: RemoteProps) {
  const { connection } = useApp();
  const { kind, code, host, remoteHolders } = room;
  const answerOf = useAnswerOf({ band: factsOf(kind).ink });
  const { by } = useReadable(model.view).playing;
  const isLent = (uid: string): boolean => remoteHolders.some((each) => each === uid);
  if (isLent(selfUid)) {
    const give = (): void => void answerOf(connection.request('rooms/giveRemoteBack', { kind, code }));
    return <Key words={t`Give back`} onPress={give} />;
  }
  const holder = room.participants.find(({ uid }) => uid === by && uid !== host);
  if (host !== selfUid || holder === undefined) return null;
  const take = isLent(holder.uid)
    ? () => connection.request('rooms/lendRemote', { kind, code, uid: holder.uid, isLent: false })
    : () => connection.request('rooms/set', { kind, code, settings: { remoteUse: 'host' } });
  return <Key words={t`Take the remote back`} onPress={() => void answerOf(take())} />;
}

const Key = ({ words, onPress }: { words: string; onPress: () => void }) => (
  <button type="button" className={styles.key} onClick={onPress}>
    {words}
  </button>
);
