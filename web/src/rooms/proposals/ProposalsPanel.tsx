/** What guests propose: the host adds or dismisses, everybody else votes. Whoever proposed can take it back. */
import type { Proposal, RoomDocument } from '@tunemate/protocol';
import { useRef } from 'react';
import { Button } from '../../ui/buttons/Button.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { CloseIcon } from '../../ui/icons/icons.tsx';
import { List } from '../../ui/lists/List.tsx';
import { MediaRow } from '../../ui/lists/MediaRow.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import styles from './ProposalsPanel.module.css';
import { proposalWords } from './proposal-words.ts';
import { useProposals, type Proposals } from './use-proposals.ts';

export interface ProposalsPanelProps {
  room: RoomDocument;
  ownVotes: readonly string[];
  selfUid: string;
}

export function ProposalsPanel({ room, ownVotes, selfUid }: ProposalsPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const proposals = useProposals(room);
  const byVotes = room.proposals.toSorted((a, b) => b.votes - a.votes);
  // The row of the button that was pressed goes away.
  const then = (): void => panel.current?.focus();
  return (
    <div ref={panel} tabIndex={-1} className={styles.panel}>
      <Section title={proposalWords.title} count={byVotes.length} panel>
        <List label={proposalWords.title}>
          {byVotes.map((proposal) => (
            <li key={proposal.id} className={styles.item}>
              <MediaRow
                title={proposal.track.title}
                id={proposal.track.videoId}
                pictureUrl={proposal.track.thumbnail ?? undefined}
                detail={proposal.proposer === selfUid ? proposalWords.you : nameIn(room, proposal.proposer)}
              />
              <span className={styles.keys}>
                {room.host === selfUid ? (
                  <HostButtons proposal={proposal} proposals={proposals} then={then} />
                ) : (
                  <GuestButtons
                    proposal={proposal}
                    proposals={proposals}
                    isMine={proposal.proposer === selfUid}
                    isVoted={ownVotes.includes(proposal.id)}
                    then={then}
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

function nameIn({ participants }: RoomDocument, uid: string): string {
  return participants.find((person) => person.uid === uid)?.name ?? '';
}

interface ButtonsProps {
  proposal: Proposal;
  proposals: Proposals;
  then: () => void;
}

function HostButtons({ proposal: { id, votes, track }, proposals, then }: ButtonsProps) {
  return (
    <>
      <Tally votes={votes} />
      <Button
        variant="primary"
        small
        aria-label={`Add ${track.title}`}
        onClick={() => void proposals.add(id).then((isDone) => isDone && then())}
      >
        Add
      </Button>
      <IconButton
        label={`Dismiss ${track.title}`}
        icon={<CloseIcon />}
        onClick={() => void proposals.dismiss(id).then((isDone) => isDone && then())}
      />
    </>
  );
}

function GuestButtons({
  proposal: { id, votes, track },
  proposals,
  isMine,
  isVoted,
  then,
}: ButtonsProps & { isMine: boolean; isVoted: boolean }) {
  if (isMine) {
    return (
      <>
        <Tally votes={votes} />
        <Button
          variant="ghost"
          small
          aria-label={`Take back ${track.title}`}
          onClick={() => void proposals.vote(id, false).then((isDone) => isDone && then())}
        >
          Take back
        </Button>
      </>
    );
  }
  return (
    <button
      type="button"
      className={styles.vote}
      aria-pressed={isVoted}
      onClick={() => void proposals.vote(id, !isVoted)}
    >
      <Votes votes={votes} />
      <VisuallyHidden> for {track.title}</VisuallyHidden>
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
      {votes}
      <VisuallyHidden>{votes === 1 ? ' vote' : ' votes'}</VisuallyHidden>
    </>
  );
}
