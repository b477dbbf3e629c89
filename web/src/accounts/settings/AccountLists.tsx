/** The lists of the account screen: devices on which the user is signed in, and blocked people. */
import type { Refusal, SessionRow, UserCard } from '@tunemate/protocol';
import { useEffect } from 'react';
import { useApp } from '../../app-context.ts';
import { type Instead, sentenceOf } from '../../words/errors.ts';
import { homeWords } from '../../words/home.ts';
import { formatWhen } from '../../words/dates.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { ScreenIcon } from '../../ui/icons/icons.tsx';
import { List } from '../../ui/lists/List.tsx';
import { Row } from '../../ui/lists/Row.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { SkeletonRows } from '../../ui/lists/Skeleton.tsx';
import { Avatar } from '../../ui/records/Avatar.tsx';
import styles from './Account.module.css';
import type { AccountSettingsModel } from './account-settings-model.ts';
import { accountSettingsInstead, accountSettingsWords } from './account-settings-words.ts';
import { useNow } from '../../store/use-now.ts';
import { t } from '../../language/t.ts';

/** The devices, with buttons to sign out each other device, or all. */
export function Sessions({ accountSettings }: { accountSettings: AccountSettingsModel }) {
  const { callRoute, chats, session } = useApp();
  const modals = useModals();
  const leaving = useBusy();
  const showRefusal = useShowRefusal();
  const sessions = useReadable(accountSettings.sessions);
  useEffect(() => void accountSettings.loadSessions(), [accountSettings]);

  async function signOutEverywhere(): Promise<void> {
    const unsent = chats.get()?.unsent() ?? 0;
    const lost = unsent > 0 ? [homeWords.unsent(unsent).consequence] : [];
    const isSure = await modals.confirm({
      question: t`Sign out everywhere?`,
      consequence: [t`Every device has to sign in again, this one too.`, ...lost].join(' '),
      action: accountSettingsWords.everywhere,
      danger: unsent > 0,
    });
    if (!isSure) return;
    const answer = await session.signOut(() => callRoute('POST /api/accounts/sign-out-everywhere', {}));
    // A full page load, so that no data of this user stays in memory.
    if (answer.ok) window.location.assign('/');
    else await showRefusal(answer.error);
  }

  return (
    <Section title={accountSettingsWords.sessionsTitle} flush>
      {sessions.status === 'loading' && <SkeletonRows />}
      {sessions.status === 'failed' && (
        <EmptyState message={t`Your devices could not be listed.`}>
          <Button onClick={() => void accountSettings.loadSessions()}>{t`Try Again`}</Button>
        </EmptyState>
      )}
      {sessions.status === 'known' && (
        <List label={accountSettingsWords.sessionsTitle} bleed>
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
            {accountSettingsWords.everywhere}
          </Button>
        </ButtonGroup>
      </div>
    </Section>
  );
}

/** The server stores 'Firefox on Linux', one of the two, or 'Unknown device'. */
function deviceInWords(stored: string): string {
  if (stored === 'Unknown device') return t`Unknown device`;
  const [browser = '', system] = stored.split(' on ');
  return system === undefined ? browser : t`${browser} on ${system}`;
}

function SessionLine({ row, accountSettings }: { row: SessionRow; accountSettings: AccountSettingsModel }) {
  const nowMs = useNow(useApp().serverNowMs);
  const { isBusy, run } = useBusy();
  const showRefusal = useShowRefusal();
  async function end(): Promise<void> {
    const answer = await accountSettings.endSession(row.sessionId);
    if (!answer.ok) await showRefusal(answer.error);
  }
  return (
    <Row
      lead={<ScreenIcon size={24} />}
      title={deviceInWords(row.device)}
      detail={row.isCurrent ? t`This device` : accountSettingsWords.lastSeen(formatWhen(row.lastSeenAt, nowMs))}
      trail={
        !row.isCurrent && (
          <Button small busy={isBusy} aria-label={t`End ${deviceInWords(row.device)}`} onClick={() => run(end)}>
            {t`End`}
          </Button>
        )
      }
    />
  );
}

/** Blocked people, with unblocking. Loaded on request: most users never block a person. */
export function BlockedPeople({ accountSettings }: { accountSettings: AccountSettingsModel }) {
  const blocked = useReadable(accountSettings.blocked);
  return (
    <Section title={accountSettingsWords.blockedTitle} flush>
      <p className={styles.hint}>{accountSettingsWords.blockedHint}</p>
      {blocked.status === 'failed' && <Note tone="bad">{sentenceOf(blocked.refusal)}</Note>}
      {blocked.status === 'known' ? (
        <BlockedList people={blocked.items} accountSettings={accountSettings} />
      ) : (
        <ButtonGroup inline>
          <Button busy={blocked.status === 'loading'} onClick={() => void accountSettings.loadBlocked()}>
            {t`Show Blocked People`}
          </Button>
        </ButtonGroup>
      )}
    </Section>
  );
}

function BlockedList({
  people,
  accountSettings,
}: {
  people: readonly UserCard[];
  accountSettings: AccountSettingsModel;
}) {
  if (people.length === 0) return <output>{t`You have blocked nobody.`}</output>;
  return (
    <List label={accountSettingsWords.blockedTitle} bleed>
      {people.map((person) => (
        <li key={person.uid}>
          <BlockedLine person={{ ...person, name: person.name || t`Deleted user` }} accountSettings={accountSettings} />
        </li>
      ))}
    </List>
  );
}

function BlockedLine({
  person: { uid, name },
  accountSettings,
}: {
  person: UserCard;
  accountSettings: AccountSettingsModel;
}) {
  const { isBusy, run } = useBusy();
  const showRefusal = useShowRefusal();
  async function unblock(): Promise<void> {
    const answer = await accountSettings.unblock(uid);
    if (!answer.ok) await showRefusal(answer.error);
  }
  return (
    <Row
      lead={<Avatar id={uid} name={name} />}
      title={name}
      trail={
        <Button small busy={isBusy} aria-label={t`Unblock ${name}`} onClick={() => run(unblock)}>
          {t`Unblock`}
        </Button>
      }
    />
  );
}

/** Shows why an action on the account screen failed. `instead` replaces single sentences. */
export function useShowRefusal(): (refusal: Refusal, instead?: Instead) => Promise<void> {
  const modals = useModals();
  return (refusal, instead) =>
    modals.ok(t`That did not work`, { text: sentenceOf(refusal, { ...accountSettingsInstead, ...instead }) });
}
