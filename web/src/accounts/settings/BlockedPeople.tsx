/** The people whom the user has blocked, with unblocking. Loaded on request: most users never block anybody. */
import type { UserCard } from '@tunemate/protocol';
import type { AccountSettingsModel } from './account-settings-model.ts';
import { accountSettingsCopy } from './account-settings-words.ts';
import { sentenceOf } from '../../copy/errors.ts';
import { useBusy } from '../../store/use-busy.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ButtonGroup } from '../../ui/buttons/ButtonGroup.tsx';
import { List } from '../../ui/lists/List.tsx';
import { Row } from '../../ui/lists/Row.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Avatar } from '../../ui/records/Avatar.tsx';
import styles from './Account.module.css';
import { useShowRefusal } from '../use-show-refusal.ts';

export function BlockedPeople({ accountSettings }: { accountSettings: AccountSettingsModel }) {
  const blocked = useReadable(accountSettings.blocked);
  return (
    <Section title={accountSettingsCopy.blockedTitle} flush>
      <p className={styles.hint}>{accountSettingsCopy.blockedHint}</p>
      {blocked.status === 'failed' && <Note tone="bad">{sentenceOf(blocked.refusal)}</Note>}
      {blocked.status === 'known' ? (
        <BlockedList people={blocked.items} accountSettings={accountSettings} />
      ) : (
        <ButtonGroup inline>
          <Button busy={blocked.status === 'loading'} onClick={() => void accountSettings.loadBlocked()}>
            {accountSettingsCopy.showBlocked}
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
  if (people.length === 0) return <output>{accountSettingsCopy.nobodyBlocked}</output>;
  return (
    <List label={accountSettingsCopy.blockedTitle} bleed>
      {people.map((person) => (
        <li key={person.uid}>
          <BlockedLine
            person={{ ...person, name: person.name || accountSettingsCopy.someone }}
            accountSettings={accountSettings}
          />
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
        <Button small busy={isBusy} aria-label={accountSettingsCopy.unblockPerson(name)} onClick={() => run(unblock)}>
          {accountSettingsCopy.unblock}
        </Button>
      }
    />
  );
}
