/** Tunemates who are online and not in this room, with an invite button each. Hidden when there are none. */
import type { RoomDocument } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { tunemateWords } from './tunemate-words.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { List } from '../ui/lists/List.tsx';
import { Row } from '../ui/lists/Row.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { useTunemateActions } from './use-tunemate-actions.ts';

export function InviteTunemates({ room }: { room: RoomDocument }) {
  const tunemates = useReadable(useApp().tunemates.tunemates);
  const { invite } = useTunemateActions();
  const isInside = (uid: string): boolean => room.participants.some((person) => person.uid === uid);
  const around = (tunemates ?? []).filter(({ uid, presence }) => presence.state === 'online' && !isInside(uid));
  if (around.length === 0) return null;
  return (
    <Section title={tunemateWords.onlineTitle} count={around.length}>
      <List label={tunemateWords.onlineTitle}>
        {around.map((tunemate) => (
          <li key={tunemate.uid}>
            <Row
              compact
              lead={<Avatar id={tunemate.uid} name={tunemate.name} size="sm" badge="online" />}
              title={tunemate.name}
              trail={
                <Button
                  small
                  aria-label={tunemateWords.invitePerson(tunemate.name)}
                  onClick={() => void invite(tunemate)}
                >
                  {tunemateWords.invite}
                </Button>
              }
            />
          </li>
        ))}
      </List>
    </Section>
  );
}
