/** Votes to skip the current track: a button for guests, the tally and Next for the host. */
import type { RoomDocument, VideoId } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { sentenceOf } from '../../words/errors.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { factsOf } from '../room-kinds.ts';
import { isEveryoneNamed } from '../visit/room-state.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './ProposalsPanel.module.css';

interface SkipVotesProps {
  room: RoomDocument;
  selfUid: string;
  /** Of the current track. */
  videoId: VideoId;
  onNext: () => void;
}

/** Counts guests who are online. A large room doesn't broadcast presence, so there all guests count. */
function tallyOf(room: RoomDocument): { votes: number; guests: number } {
  if (!isEveryoneNamed(room)) return { votes: room.skipVotes.length, guests: room.people - 1 };
  const present = room.participants.filter(({ uid, online }) => online && uid !== room.host);
  return { votes: present.filter(({ uid }) => room.skipVotes.includes(uid)).length, guests: present.length };
}

export function SkipVotes({ room, selfUid, videoId, onNext }: SkipVotesProps) {
  const { connection } = useApp();
  const modals = useModals();
  const { votes, guests } = tallyOf(room);
  const tally = `${String(votes)} of ${String(guests)}`;
  const vote = async (isOn: boolean): Promise<void> => {
    const { kind, code } = room;
    const answer = await connection.request('playback/voteToSkip', { kind, code, videoId, isOn });
    if (!answer.ok) await modals.ok(sentenceOf(answer.error), { band: factsOf(kind).ink });
  };
  if (room.host === selfUid) {
    return (
      votes > 0 && (
        <p className={classNames(styles.keys, styles.skip)}>
          <output>Skip: {tally}</output>
          <Button variant="ghost" small onClick={onNext}>
            Next
          </Button>
        </p>
      )
    );
  }
  const isOn = room.skipVotes.some((uid) => uid === selfUid);
  return (
    <button
      type="button"
      className={classNames(styles.vote, styles.skip)}
      aria-pressed={isOn}
      onClick={() => void vote(!isOn)}
    >
      {votes === 0 ? 'Skip?' : `Skip? ${tally}`}
    </button>
  );
}
