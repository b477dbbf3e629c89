/** The devices on which the user is signed in, with buttons to sign out each other device, or all. */
import type { SessionRow } from '@tunemate/protocol';
import { useEffect } from 'react';
import type { AccountSettingsModel } from './account-settings-model.ts';
import { useApp } from '../../app-context.ts';
import { accountSettingsCopy } from './account-settings-words.ts';
import { formatWhen } from '../../copy/format-when.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useReadable } from '../../store/use-readable.ts';
import { useModals } from '../../ui/dialogs/modals.ts';
import { ScreenIcon } from '../../ui/icons/icons.tsx';
import { Button } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { List } from '../../ui/lists/List.tsx';
import { Row } from '../../ui/lists/Row.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { SkeletonRows } from '../../ui/lists/Skeleton.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import styles from './Account.module.css';
import { useShowRefusal } from '../use-show-refusal.ts';

export function Sessions({ accountSettings }: { accountSettings: AccountSettingsModel }) {
  const { callRoute, session } = useApp();
  const modals = useModals();
  const leaving = useBusy();
  const showRefusal = useShowRefusal();
  const sessions = useReadable(accountSettings.sessions);
  useEffect(() => void accountSettings.loadSessions(), [accountSettings]);

  async function signOutEverywhere(): Promise<void> {
    const isSure = await modals.confirm({
      question: accountSettingsCopy.everywhereQuestion,
      consequence: accountSettingsCopy.everywhereConsequence,
      action: accountSettingsCopy.everywhere,
    });
    if (!isSure) return;
    const answer = await session.signOut(() => callRoute('POST /api/accounts/sign-out-everywhere', {}));
    // A full page load, so that no data of this user stays in memory.
    if (answer.ok) window.location.assign('/');
    else await showRefusal(answer.error);
  }

  return (
    <Section title={accountSettingsCopy.sessionsTitle} flush>
      {sessions.status === 'loading' && <SkeletonRows />}
      {sessions.status === 'failed' && (
        <EmptyState message={accountSettingsCopy.sessionsUnreadable}>
          <Button onClick={() => void accountSettings.loadSessions()}>{accountSettingsCopy.tryAgain}</Button>
        </EmptyState>
      )}
      {sessions.status === 'known' && (
        <List label={accountSettingsCopy.sessionsTitle} bleed>
          {sessions.items.map((row) => (
            <li key={row.sessionId}>
              <SessionLine row={row} accountSettings={accountSettings} />
            </li>
          ))}
        </List>
      )}
      <div className={styles.after}>
        <ButtonGroup inline>
          <Button busy={leaving.isBusy} onClick={() => leaving.run(signOutEverywhere)}>
            {accountSettingsCopy.everywhere}
          </Button>
        </ButtonGroup>
      </div>
    </Section>
  );
}

function SessionLine({ row, accountSettings }: { row: SessionRow; accountSettings: AccountSettingsModel }) {
  const { serverNowMs } = useApp();
  const { isBusy, run } = useBusy();
  const showRefusal = useShowRefusal();
  async function end(): Promise<void> {
    const answer = await accountSettings.endSession(row.sessionId);
    if (!answer.ok) await showRefusal(answer.error);
  }
  return (
    <Row
      lead={<ScreenIcon size={24} />}
      title={row.device}
      detail={
        row.isCurrent
          ? accountSettingsCopy.thisDevice
          : accountSettingsCopy.lastSeen(formatWhen(row.lastSeenAt, serverNowMs()))
      }
      trail={
        !row.isCurrent && (
          <Button small busy={isBusy} aria-label={accountSettingsCopy.endSession(row.device)} onClick={() => run(end)}>
            {accountSettingsCopy.end}
          </Button>
        )
      }
    />
  );
}
