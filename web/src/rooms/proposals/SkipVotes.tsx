/** Votes to skip the current track: a button for guests; for the host's desk the tally and Next. */
import type { RoomDocument, VideoId } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { factsOf } from '../room-kinds.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import { isEveryoneNamed } from '../visit/room-model.ts';
import { classNames } from '../../ui/class-names.ts';
import { NextIcon } from '../../ui/icons/marks.tsx';
import styles from './ProposalsPanel.module.css';
import { t } from '../../language/t.ts';

interface SkipVotesProps {
  room: RoomDocument;
  selfUid: string;
  /** Of the current track. */
  videoId: VideoId;
}

/** Counts guests who are online. A large room doesn't broadcast presence, so there all guests count. */
export function tallyOf(room: RoomDocument): { votes: number; guests: number } {
  if (!isEveryoneNamed(room)) return { votes: room.skipVotes.length, guests: room.people - 1 };
  const present = room.participants.filter(({ uid, online }) => online && uid !== room.host);
  return { votes: present.filter(({ uid }) => room.skipVotes.includes(uid)).length, guests: present.length };
}

export function SkipVotes({ room, selfUid, videoId }: SkipVotesProps) {
  const { connection } = useApp();
  const answerOf = useAnswerOf({ band: factsOf(room.kind).ink });
  const { votes, guests } = tallyOf(room);
  const tally = t`${String(votes)} of ${String(guests)}`;
  const vote = (isOn: boolean): void => {
    const { kind, code } = room;
    void answerOf(connection.request('playback/voteToSkip', { kind, code, videoId, isOn }));
  };
  const isOn = room.skipVotes.some((uid) => uid === selfUid);
  return (
    <button
      type="button"
      className={classNames(styles.vote, styles.skip)}
      aria-pressed={isOn}
      onClick={() => vote(!isOn)}
    >
      <NextIcon size={18} />
      <span>{votes === 0 ? t`Vote to skip` : t`Vote to skip, ${tally}`}</span>
    </button>
  );
}

export function SkipTally({ room, onNext }: { room: RoomDocument; onNext: () => void }) {
  const { votes, guests } = tallyOf(room);
  if (votes === 0) return <p className={classNames(styles.skip, styles.none)}>{t`Nobody votes to skip.`}</p>;
  return (
    <p className={classNames(styles.keys, styles.skip)}>
      <output>{t`Skip: ${String(votes)} of ${String(guests)}`}</output>
      <Button small icon={<NextIcon size={18} />} onClick={onNext}>
        {t`Next track`}
      </Button>
    </p>
  );
}
