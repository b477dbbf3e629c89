/** The host's desk at the top of the rail: how many ask to come in, propose and vote to skip, and the oldest request with
   its answers. It keeps its height, so that nothing moves when one of them changes; a press opens all of them over the
   rail. */
import { useEffect, useId, useRef } from 'react';
import { useReadable } from '../../store/use-readable.ts';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CloseIcon } from '../../ui/icons/icons.tsx';
import { useKeyDown } from '../../ui/use-key-down.ts';
import { lazyPart } from '../../store/lazy-part.ts';
import { isEveryoneNamed } from '../visit/room-model.ts';
import { SkipTally, tallyOf } from '../proposals/SkipVotes.tsx';
import { proposalWords } from '../proposals/proposal-words.ts';
import type { Sidebar } from '../sidebar/sidebar.ts';
import type { RoomView } from '../visit/visit.ts';
import styles from './HostDesk.module.css';
import { RequestsPanel } from './JoinRequests.tsx';
import type { Elements } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

const ProposalsPanel = lazyPart(async () => (await import('../proposals/ProposalsPanel.tsx')).ProposalsPanel);

type Part = 'requests' | 'proposals' | 'skips';

export function HostDesk(props: RoomView & { sidebar: Sidebar }) {
  const { kind, visit, state, sidebar } = props;
  const { room } = state;
  const { pending } = useReadable(visit.requests.state);
  const { isDeskOpen } = sidebar.panels;
  const skips = tallyOf(room);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const key = (part: Part, count: number, words: string, more?: Elements) => (
    <button
      type="button"
      className={classNames(styles.key, part === 'requests' && count > 0 && styles.urgent)}
      aria-expanded={isDeskOpen}
      // New requests have a banner. In a large room numbers change too often to be heard.
      {...(part !== 'requests' && isEveryoneNamed(room) && heard)}
      aria-controls={isDeskOpen ? id : undefined}
      onClick={() => (isDeskOpen ? sidebar.lower() : sidebar.openDesk(part))}
    >
      <span>
        <b>{count}</b>
        {more}
      </span>
      <span>{` ${words}`}</span>
    </button>
  );
  return (
    <div ref={box} className={styles.desk}>
      <div className={styles.keys} data-desk-keys>
        {key('requests', pending.length, pending.length === 1 ? t`Request` : t`Requests`)}
        {key('proposals', room.proposals.length, room.proposals.length === 1 ? t`Proposal` : proposalWords.title)}
        {key('skips', skips.votes, t`Skip votes`, skips.votes > 0 && <span>{t` of ${String(skips.guests)}`}</span>)}
      </div>
      <div className={styles.first}>
        <RequestsPanel kind={kind} model={visit.requests} sidebar={sidebar} />
        {pending.length === 0 && <p className={styles.none}>{t`Nobody asks to come in.`}</p>}
      </div>
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
  const { pending } = useReadable(visit.requests.state);
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
      <div className={styles.head}>
        <h2>{t`Waiting for you`}</h2>
        <IconButton label={t`Close`} icon={<CloseIcon size={22} />} onClick={close} />
      </div>
      <div data-part="requests">
        {pending.length > 0 ? (
          <RequestsPanel kind={kind} model={visit.requests} sidebar={sidebar} isWhole />
        ) : (
          <p className={styles.none}>{t`Nobody asks to come in.`}</p>
        )}
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
