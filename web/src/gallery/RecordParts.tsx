/* Discs, records, sleeves, covers; rows and lists. */
import { useState } from 'react';
import { Button } from '../ui/keys/Button.tsx';
import { ButtonLink } from '../ui/keys/ButtonLink.tsx';
import {
  ChevronRightIcon,
  MessageIcon,
  PersonMinusIcon,
  PersonPlusIcon,
  PictureIcon,
  PlusIcon,
} from '../ui/icons/icons.tsx';
import { PlayIcon } from '../ui/icons/marks.tsx';
import { ActionKey, ActionKeyLink, ActionKeys } from '../ui/lists/ActionKeys.tsx';
import { ExpandableRow } from '../ui/lists/ExpandableRow.tsx';
import { List } from '../ui/lists/List.tsx';
import { MediaCard } from '../ui/lists/MediaCard.tsx';
import { MediaCards } from '../ui/lists/MediaCards.tsx';
import { MediaRow } from '../ui/lists/MediaRow.tsx';
import { Row } from '../ui/lists/Row.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { CodeTiles } from '../ui/records/CodeTiles.tsx';
import { CoverCard } from '../ui/records/CoverCard.tsx';
import { Disc } from '../ui/records/Disc.tsx';
import { Presence } from '../ui/records/Presence.tsx';
import { Sleeve } from '../ui/records/Sleeve.tsx';
import { Vinyl } from '../ui/records/Vinyl.tsx';
import { classNames } from '../ui/class-names.ts';
import { PEOPLE } from './people.ts';
import styles from './gallery.module.css';

/** Round things and square things. */
export function RecordParts() {
  const [mara, theo, ada, kenji, julia, rosalind, ivo] = PEOPLE;
  return (
    <section>
      <h2>Discs, records, sleeves</h2>
      <div className={styles.grid}>
        <div className={classNames(styles.box, styles.flow)}>
          <Disc {...mara} size="xl" />
          <Disc {...theo} size="lg" badge="online" />
          <Disc {...ada} badge="offline" />
          <Disc {...kenji} badge="crown" />
          <Disc {...julia} size="sm" badge="online" />
          <Disc {...rosalind} size="xs" />
          <Disc {...ivo} size="xs" badge="offline" />
          <Presence online />
          <Presence online={false} />
        </div>
        <div className={classNames(styles.box, styles.flow)}>
          <Vinyl person={theo} width="140px" />
          <Vinyl pressed spinning ink="marigold" width="140px" />
        </div>
        <div className={styles.box}>
          <CodeTiles code="7F3A9C" label="Room code" />
        </div>
        <div className={styles.box}>
          <Sleeve name="Friday Slow Burn" code="7F3A9C" size="200px" record={<Vinyl pressed />} />
        </div>
        <div className={styles.box}>
          <Sleeve name="" code="7F3A" size="200px" peek={0.44} waiting record={<Vinyl person={theo} />} />
        </div>
        <CoverCard title="Video rooms" ink="persimmon" pattern="2D497A3C61F5">
          <ButtonLink href="/join" variant="ink" endIcon={<ChevronRightIcon />}>
            Join Tunemate Video Room
          </ButtonLink>
          <ButtonLink href="/create" variant="inkLine" endIcon={<PlusIcon />}>
            Create Video Room
          </ButtonLink>
        </CoverCard>
      </div>
    </section>
  );
}

/** Lists of people and of media. */
export function RowParts() {
  const [open, setOpen] = useState<string | null>('ada');
  const [mara, theo, ada, kenji] = PEOPLE;
  const nothing = () => undefined;
  return (
    <section>
      <h2>Rows</h2>
      <div className={styles.grid}>
        <div className={styles.box}>
          <List label="Chats">
            <li>
              <Row
                roomy
                href="#a"
                lead={<Disc {...theo} size="lg" badge="online" />}
                title={theo.name}
                detail="The second verse, every single time"
                when="14:32"
              />
            </li>
            <li>
              <Row
                roomy
                href="#b"
                lead={<Disc {...kenji} size="lg" badge="offline" />}
                title={kenji.name}
                detail={
                  <>
                    <PictureIcon size={16} />
                    Media
                  </>
                }
                when="19/11/2026"
              />
            </li>
          </List>
        </div>
        <div className={styles.box}>
          <Section title="Tunemates" count="2 / 50">
            <List label="Tunemates">
              {[ada, kenji].map((person) => (
                <li key={person.id}>
                  <ExpandableRow
                    lead={<Disc {...person} badge="online" badgeIsNamed />}
                    title={person.name}
                    detail="Online"
                    open={open === person.id}
                    onToggle={() => setOpen(open === person.id ? null : person.id)}
                  >
                    <ActionKeys label={person.name}>
                      <ActionKey icon={<PersonPlusIcon />} onPress={nothing}>
                        Invite
                      </ActionKey>
                      <ActionKey icon={<PersonMinusIcon />} danger onPress={nothing}>
                        Remove
                      </ActionKey>
                      <ActionKeyLink icon={<MessageIcon />} href="#c">
                        Chat
                      </ActionKeyLink>
                    </ActionKeys>
                  </ExpandableRow>
                </li>
              ))}
            </List>
          </Section>
        </div>
        <div className={styles.box}>
          <Section title="Pending Join Requests" count={1}>
            <Row
              lead={<Disc {...theo} size="sm" />}
              title={theo.name}
              trail={
                <>
                  <Button variant="primary" small>
                    Accept
                  </Button>
                  <Button variant="danger" small>
                    Reject
                  </Button>
                </>
              }
            />
          </Section>
          <Section title="Participants" count={2}>
            <List grid label="Participants">
              <li>
                <Row compact lead={<Disc {...mara} size="sm" badge="crown" />} title={mara.name} detail="You" />
              </li>
              <li>
                <Row compact lead={<Disc {...ada} size="sm" badge="online" />} title={ada.name} />
              </li>
            </List>
          </Section>
        </div>
        <Section title="Queue" count={2} panel>
          <List ordered label="Queue">
            <li>
              <MediaRow
                number={1}
                current
                currentLabel="Now playing"
                title="Slow Satellite (Live at the Harbour)"
                onPress={nothing}
              />
            </li>
            <li>
              <MediaRow number={2} title="The Rain Session, part two" onPress={nothing} />
            </li>
            <li>
              <MediaRow
                tall
                title="Night Bus North: One Long Shot, full set with the brass section and the broken mic"
                trail={<PlayIcon size={18} />}
                onPress={nothing}
              />
            </li>
          </List>
        </Section>
        <Section title="Suggested" panel>
          <MediaCards>
            <li>
              <MediaCard title="Night Bus North: One Long Shot" onPress={nothing} />
            </li>
            <li>
              <MediaCard title="Left Hand Only" onPress={nothing} />
            </li>
          </MediaCards>
        </Section>
      </div>
    </section>
  );
}
