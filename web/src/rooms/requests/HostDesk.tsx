/** The host's desk: how many ask to come in, propose and vote to skip. It keeps its height, so that nothing moves when one
   of them changes; the oldest request lies over it or above it; a press opens all of them over the rail. */
import { useEffect, useId, useRef } from 'react';
import { useReadable } from '../../store/use-readable.ts';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DoorIcon, ProposalIcon, SkipVoteIcon } from '../../ui/icons/desk-icons.tsx';
import { CloseIcon } from '../../ui/icons/icons.tsx';
import { useKeyDown } from '../../ui/use-key-down.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { ProposalCard } from '../proposals/ProposalCard.tsx';
import { ProposalsPanel } from '../proposals/ProposalsPanel.tsx';
import { isEveryoneNamed } from '../visit/room-model.ts';
import { SkipTally, tallyOf } from '../proposals/SkipVotes.tsx';
import { proposalWords } from '../proposals/proposal-words.ts';
import type { Sidebar } from '../sidebar/sidebar.ts';
import type { RoomView } from '../visit/visit.ts';
import styles from './HostDesk.module.css';
import { AskCard, RequestsPanel } from './JoinRequests.tsx';
import type { Elements } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

type Part = 'requests' | 'proposals' | 'skips';

interface HostDeskProps extends RoomView {
  sidebar: Sidebar;
  isFull: boolean;
}

/** In full screen the requests to join alone. */
export function HostDesk({ isFull, ...props }: HostDeskProps) {
  if (!isFull) return <Desk {...props} />;
  return <RequestsPanel kind={props.kind} model={props.visit.requests} sidebar={props.sidebar} />;
}

function Desk(props: RoomView & { sidebar: Sidebar }) {
  const { kind, visit, state, sidebar } = props;
  const { room } = state;
  const { pending } = useReadable(visit.requests.state);
  const { isDeskOpen } = sidebar.panels;
  const skips = tallyOf(room);
  const proposals = room.proposals.length;
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const key = (part: Part, count: number, words: string, icon: Elements, more?: Elements) => (
    <button
      type="button"
      className={classNames(styles.key, part === 'requests' && count > 0 && styles.urgent)}
      aria-expanded={isDeskOpen}
      // New requests have a banner. In a large room numbers change too often to be heard.
      {...(part !== 'requests' && isEveryoneNamed(room) && heard)}
      aria-controls={isDeskOpen ? id : undefined}
      onClick={() => (isDeskOpen ? sidebar.lower() : sidebar.openDesk(part))}
    >
      {count > 0 ? (
        <b>
          <span>{count}</span>
          {more}
        </b>
      ) : (
        icon
      )}
      <span aria-hidden={count === 0}>{` ${words}`}</span>
      {count === 0 && <VisuallyHidden>{t`${words}, none`}</VisuallyHidden>}
    </button>
  );
  return (
    <div ref={box} className={styles.desk}>
      <div className={styles.keys} data-desk-keys>
        {key('requests', pending.length, pending.length === 1 ? t`Request` : t`Requests`, <DoorIcon />)}
        {key('proposals', proposals, proposals === 1 ? t`Proposal` : proposalWords.title, <ProposalIcon />)}
        {key('skips', skips.votes, t`Skip votes`, <SkipVoteIcon />, <small>{t` of ${String(skips.guests)}`}</small>)}
      </div>
      <ProposalCard
        room={room}
        isCovered={pending.length > 0 || isDeskOpen}
        onPress={() => sidebar.openDesk('proposals')}
      />
      <AskCard kind={kind} model={visit.requests} isCovered={isDeskOpen} onPress={() => sidebar.openDesk('requests')} />
      {isDeskOpen && <OpenDesk {...props} id={id} desk={box} />}
    </div>
  );
}

const heard = { 'aria-live': 'polite', 'aria-atomic': true } as const;

interface OpenDeskProps extends RoomView {
  sidebar: Sidebar;
  id: string;
  desk: React.RefObject<HTMLDivElement | null>;
}

/** Closes by Escape, by Close and by the keys above it; the focus returns to the key. */
function OpenDesk({ kind, visit, state, parts, self, sidebar, id, desk }: OpenDeskProps) {
  const { room, ownVotes } = state;
  const { track } = useReadable(parts.playback.view).playing;
  const panel = useRef<HTMLElement>(null);
  const { deskPart } = sidebar;
  useEffect(() => {
    const part = panel.current?.querySelector(`[data-part="${deskPart}"]`);
    part?.scrollIntoView({ block: 'nearest' });
  }, [deskPart]);
  const close = (): void => {
    desk.current?.querySelector('button')?.focus();
    sidebar.lower();
  };
  useKeyDown(desk, (event) => {
    if (event.key !== 'Escape' || document.querySelector('dialog[open]') !== null) return;
    event.stopPropagation();
    close();
  });
  return (
    <section ref={panel} id={id} className={styles.open} aria-label={t`Waiting for you`}>
      <div data-part="requests">
        <RequestsPanel
          kind={kind}
          model={visit.requests}
          sidebar={sidebar}
          close={<IconButton label={t`Close`} icon={<CloseIcon size={22} />} onClick={close} />}
        />
      </div>
      <div data-part="proposals">
        {room.proposals.length > 0 ? (
          <ProposalsPanel room={room} ownVotes={ownVotes} selfUid={self.uid} />
        ) : (
          <p className={styles.none}>{t`Nobody proposes a track.`}</p>
        )}
      </div>
      <div data-part="skips">
        {track !== null && <SkipTally room={room} onNext={() => parts.playback.host.next()} />}
      </div>
    </section>
  );
}
