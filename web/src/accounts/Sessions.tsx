/** Where one is signed in, with a way to end each other device, or all of them. */
import type { SessionRow } from '@tunemate/protocol';
import { useEffect } from 'react';
import type { CareModel } from './care-model.ts';
import { useApp } from '../app-context.ts';
import { careWords } from './care-words.ts';
import { formatWhen } from '../copy/format-when.ts';
import { useBusy } from '../store/use-busy.ts';
import { useReadable } from '../store/use-readable.ts';
import { useModals } from '../ui/dialogs/modals.ts';
import { ScreenIcon } from '../ui/icons/icons.tsx';
import { Button } from '../ui/keys/Button.tsx';
import { ButtonGroup } from '../ui/keys/ButtonGroup.tsx';
import { List } from '../ui/lists/List.tsx';
import { Row } from '../ui/lists/Row.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { SkeletonRows } from '../ui/lists/Skeleton.tsx';
import { EmptyState } from '../ui/notices/EmptyState.tsx';
import styles from './Account.module.css';
import { useSayRefusal } from './use-say-refusal.ts';

export function Sessions({ care }: { care: CareModel }) {
  const { callRoute, session } = useApp();
  const modals = useModals();
  const leaving = useBusy();
  const sayRefusal = useSayRefusal();
  const sessions = useReadable(care.sessions);
  useEffect(() => void care.loadSessions(), [care]);

  async function signOutEverywhere(): Promise<void> {
    const isSure = await modals.confirm({
      question: careWords.everywhereQuestion,
      consequence: careWords.everywhereConsequence,
      action: careWords.everywhere,
    });
    if (!isSure) return;
    const answer = await session.signOut(() => callRoute('POST /api/accounts/sign-out-everywhere', {}));
    // A new page, so that nothing of this person is left in memory.
    if (answer.ok) window.location.assign('/');
    else await sayRefusal(answer.error);
  }

  return (
    <Section title={careWords.sessionsTitle} flush>
      {sessions.status === 'loading' && <SkeletonRows />}
      {sessions.status === 'failed' && (
        <EmptyState message={careWords.sessionsUnreadable}>
          <Button onClick={() => void care.loadSessions()}>{careWords.tryAgain}</Button>
        </EmptyState>
      )}
      {sessions.status === 'known' && (
        <List label={careWords.sessionsTitle} bleed>
          {sessions.items.map((row) => (
            <li key={row.sessionId}>
              <SessionLine row={row} care={care} />
            </li>
          ))}
        </List>
      )}
      <div className={styles.after}>
        <ButtonGroup inline>
          <Button busy={leaving.isBusy} onClick={() => leaving.run(signOutEverywhere)}>
            {careWords.everywhere}
          </Button>
        </ButtonGroup>
      </div>
    </Section>
  );
}

function SessionLine({ row, care }: { row: SessionRow; care: CareModel }) {
  const { serverNowMs } = useApp();
  const { isBusy, run } = useBusy();
  const sayRefusal = useSayRefusal();
  async function end(): Promise<void> {
    const answer = await care.endSession(row.sessionId);
    if (!answer.ok) await sayRefusal(answer.error);
  }
  return (
    <Row
      lead={<ScreenIcon size={24} />}
      title={row.device}
      detail={row.isCurrent ? careWords.thisDevice : careWords.lastSeen(formatWhen(row.lastSeenAt, serverNowMs()))}
      trail={
        !row.isCurrent && (
          <Button small busy={isBusy} aria-label={careWords.endSession(row.device)} onClick={() => run(end)}>
            {careWords.end}
          </Button>
        )
      }
    />
  );
}
