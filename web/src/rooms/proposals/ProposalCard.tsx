/** Over the desk for eight seconds: a new proposal, with the key that adds it. */
import type { RoomDocument } from '@tunemate/protocol';
import { useState } from 'react';
import { Button } from '../../ui/buttons/Button.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { RunningLine } from '../../ui/feedback/RunningLine.tsx';
import { useHolding, useRunningOut } from '../../ui/feedback/running-out.ts';
import { CloseIcon } from '../../ui/icons/icons.tsx';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import ask from '../requests/AskCard.module.css';
import { nameIn, useProposals } from './ProposalsPanel.tsx';
import { t } from '../../language/t.ts';

const lastsMs = 8000;

interface ProposalCardProps {
  room: RoomDocument;
  /** A request to join comes first, and this one waits. */
  isCovered: boolean;
  /** Opens the desk. */
  onPress: () => void;
}

export function ProposalCard({ room, isCovered, onPress }: ProposalCardProps) {
  const proposals = useProposals(room);
  const [seen, setSeen] = useState<ReadonlySet<string>>(() => new Set(room.proposals.map(({ id }) => id)));
  const fresh = room.proposals.findLast(({ id }) => !seen.has(id));
  const { isHeld, ...holding } = useHolding(fresh?.id);
  const end = (): void => setSeen(new Set(room.proposals.map(({ id }) => id)));
  useRunningOut(fresh?.id, lastsMs, isHeld || isCovered, end);
  const proposer = fresh ? nameIn(room, fresh.proposer) : '';
  const title = fresh?.track.title ?? '';
  return (
    <>
      <output className={ask.announced}>
        {fresh && <VisuallyHidden>{t`${proposer} proposes ${title}`}</VisuallyHidden>}
      </output>
      {fresh && !isCovered && (
        <section key={fresh.id} className={ask.card} aria-label={t`New proposal`} data-ask {...holding}>
          <Avatar id={fresh.proposer} name={proposer} size="sm" />
          <button type="button" className={ask.words} aria-expanded={false} onClick={onPress}>
            <strong dir="auto">{title}</strong>
            <span>{` ${t`proposed by ${proposer}`}`}</span>
          </button>
          <span className={ask.keys}>
            <Button
              variant="primary"
              small
              aria-label={t`Add ${title}`}
              onClick={() => {
                end();
                proposals.add(fresh.id);
              }}
            >
              {t`Add`}
            </Button>
            <IconButton label={t`Close`} icon={<CloseIcon />} onClick={end} />
          </span>
          <RunningLine lastsMs={lastsMs} isHeld={isHeld} atTop />
        </section>
      )}
    </>
  );
}
