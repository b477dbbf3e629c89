/** Proposed tracks: the host adds or dismisses them; guests vote and can take their own back. */
import type { Proposal, Result, RoomDocument } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { newClientId } from '../../connection/ids.ts';
import type { Instead } from '../../words/errors.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { Button } from '../../ui/buttons/Button.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { CloseIcon } from '../../ui/icons/icons.tsx';
import { List } from '../../ui/lists/List.tsx';
import { MediaRow } from '../../ui/lists/MediaRow.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { factsOf } from '../room-kinds.ts';
import { useAnswerOf } from '../../words/use-answer-of.ts';
import styles from './ProposalsPanel.module.css';
import { proposalWords } from './proposal-words.ts';
import { t } from '../../language/t.ts';

interface ProposalsPanelProps {
  room: RoomDocument;
  ownVotes: readonly string[];
  selfUid: string;
}

export function ProposalsPanel({ room, ownVotes, selfUid }: ProposalsPanelProps) {
  const proposals = useProposals(room);
  const byVotes = room.proposals.toSorted((a, b) => b.votes - a.votes);
  return (
    <div className={styles.panel}>
      <Section title={proposalWords.title} count={byVotes.length} panel>
        <List label={proposalWords.title}>
          {byVotes.map((proposal) => (
            <li key={proposal.id} className={styles.item}>
              <MediaRow
                title={proposal.track.title}
                id={proposal.track.videoId}
                pictureUrl={proposal.track.thumbnail ?? undefined}
                detail={proposal.proposer === selfUid ? t`You` : nameIn(room, proposal.proposer)}
              />
              <span className={styles.keys}>
                {room.host === selfUid ? (
                  <HostButtons proposal={proposal} proposals={proposals} />
                ) : (
                  <GuestButtons
                    proposal={proposal}
                    proposals={proposals}
                    isMine={proposal.proposer === selfUid}
                    isVoted={ownVotes.includes(proposal.id)}
                  />
                )}
              </span>
            </li>
          ))}
        </List>
      </Section>
    </div>
  );
}

export function nameIn({ participants }: RoomDocument, uid: string): string {
  return participants.find((person) => person.uid === uid)?.name ?? '';
}

interface ButtonsProps {
  proposal: Proposal;
  proposals: ReturnType<typeof useProposals>;
}

function HostButtons({ proposal: { id, votes, track }, proposals }: ButtonsProps) {
  return (
    <>
      <Tally votes={votes} />
      <Button variant="primary" small aria-label={t`Add ${track.title}`} onClick={() => proposals.add(id)}>
        {t`Add`}
      </Button>
      <IconButton label={t`Dismiss ${track.title}`} icon={<CloseIcon />} onClick={() => proposals.dismiss(id)} />
    </>
  );
}

function GuestButtons({
  proposal: { id, votes, track },
  proposals,
  isMine,
  isVoted,
}: ButtonsProps & { isMine: boolean; isVoted: boolean }) {
  if (isMine) {
    return (
      <>
        <Tally votes={votes} />
        <Button
          variant="ghost"
          small
          aria-label={t`Take back ${track.title}`}
          onClick={() => proposals.vote(id, false)}
        >
          {t`Take back`}
        </Button>
      </>
    );
  }
  return (
    <button type="button" className={styles.vote} aria-pressed={isVoted} onClick={() => proposals.vote(id, !isVoted)}>
      <Votes votes={votes} />
      <VisuallyHidden>{` ${t`for ${track.title}`}`}</VisuallyHidden>
    </button>
  );
}

function Tally({ votes }: { votes: number }) {
  return (
    <span className={styles.tally}>
      <Votes votes={votes} />
    </span>
  );
}

function Votes({ votes }: { votes: number }) {
  return (
    <>
      <svg viewBox="0 0 24 24" width="14" height="14" fill="currentColor" aria-hidden="true">
        <path d="M12 6l7.500 11.500h-15z" />
      </svg>
      <span aria-hidden="true">{votes}</span>
      <VisuallyHidden>{votes === 1 ? t`1 vote` : t`${votes} votes`}</VisuallyHidden>
    </>
  );
}

const instead: Instead = {
  'access/not-found': t`This proposal is gone: it was taken back, or somebody was faster.`,
};

/** Each function sends its request, and shows a refusal. */
export function useProposals({ kind, code }: Pick<RoomDocument, 'kind' | 'code'>) {
  const { connection } = useApp();
  const answerOf = useAnswerOf({ band: factsOf(kind).ink, instead });
  const address = { kind, code };
  const done = (asked: Promise<Result<unknown>>): void => void answerOf(asked);
  return {
    add: (proposalId: string) =>
      done(connection.request('rooms/addProposal', { ...address, clientId: newClientId(), proposalId })),
    dismiss: (proposalId: string) => done(connection.request('rooms/dismissProposal', { ...address, proposalId })),
    vote: (proposalId: string, isOn: boolean) =>
      done(connection.request('rooms/voteForProposal', { ...address, proposalId, isOn })),
  };
}
