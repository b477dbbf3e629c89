/** Whom one has blocked, and taking it back. Listed when asked for: most people never block anybody. */
import type { UserCard } from '@tunemate/protocol';
import type { CareModel } from './care-model.ts';
import { careWords } from './care-words.ts';
import { sentenceOf } from '../copy/sentences.ts';
import { useBusy } from '../store/use-busy.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button } from '../ui/keys/Button.tsx';
import { ButtonGroup } from '../ui/keys/ButtonGroup.tsx';
import { List } from '../ui/lists/List.tsx';
import { Row } from '../ui/lists/Row.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { Note } from '../ui/notices/Note.tsx';
import { Disc } from '../ui/records/Disc.tsx';
import styles from './Account.module.css';
import { useSayRefusal } from './use-say-refusal.ts';

export function BlockedPeople({ care }: { care: CareModel }) {
  const blocked = useReadable(care.blocked);
  return (
    <Section title={careWords.blockedTitle} flush>
      <p className={styles.hint}>{careWords.blockedHint}</p>
      {blocked.status === 'failed' && <Note tone="bad">{sentenceOf(blocked.refusal)}</Note>}
      {blocked.status === 'known' ? (
        <BlockedList people={blocked.items} care={care} />
      ) : (
        <ButtonGroup inline>
          <Button busy={blocked.status === 'loading'} onClick={() => void care.loadBlocked()}>
            {careWords.showBlocked}
          </Button>
        </ButtonGroup>
      )}
    </Section>
  );
}

function BlockedList({ people, care }: { people: readonly UserCard[]; care: CareModel }) {
  if (people.length === 0) return <output>{careWords.nobodyBlocked}</output>;
  return (
    <List label={careWords.blockedTitle} bleed>
      {people.map((person) => (
        <li key={person.uid}>
          <BlockedLine person={{ ...person, name: person.name || careWords.someone }} care={care} />
        </li>
      ))}
    </List>
  );
}

function BlockedLine({ person: { uid, name }, care }: { person: UserCard; care: CareModel }) {
  const { isBusy, run } = useBusy();
  const sayRefusal = useSayRefusal();
  async function unblock(): Promise<void> {
    const answer = await care.unblock(uid);
    if (!answer.ok) await sayRefusal(answer.error);
  }
  return (
    <Row
      lead={<Disc id={uid} name={name} />}
      title={name}
      trail={
        <Button small busy={isBusy} aria-label={careWords.unblockPerson(name)} onClick={() => run(unblock)}>
          {careWords.unblock}
        </Button>
      }
    />
  );
}
