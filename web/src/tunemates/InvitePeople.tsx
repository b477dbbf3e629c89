/** Soulmate and tunemates outside of the current room, online ones first, with an invite button each. */
import type { RoomDocument } from '@tunemate/protocol';
import { useState } from 'react';
import { useApp } from '../app-context.ts';
import { useReadable } from '../store/use-readable.ts';
import { Button } from '../ui/buttons/Button.tsx';
import { List } from '../ui/lists/List.tsx';
import { Row } from '../ui/lists/Row.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { tunemateWords } from './tunemate-words.ts';
import { useTunemateActions } from './use-tunemate-actions.ts';
import { t } from '../language/t.ts';

export function InvitePeople({ room }: { room: RoomDocument }) {
  const { tunemates, soulmate } = useApp();
  const mates = useReadable(tunemates.tunemates) ?? [];
  const bond = useReadable(soulmate.soulmate);
  const partner = bond.status === 'bound' ? bond.soulmate : null;
  const { invite } = useTunemateActions();
  const [invited, setInvited] = useState<ReadonlySet<string>>(new Set());
  const isInside = (uid: string): boolean => room.participants.some((person) => person.uid === uid);
  const others = mates.filter(({ uid }) => uid !== partner?.uid);
  const isOnline = ({ presence }: (typeof mates)[number]): boolean => presence.state === 'online';
  const people = [
    ...(partner ? [partner] : []),
    ...others.filter(isOnline),
    ...others.filter((mate) => !isOnline(mate)),
  ].filter(({ uid }) => !isInside(uid));
  const ask = (person: (typeof people)[number]): void => {
    void invite(person).then((isSent) => {
      if (isSent) setInvited((before) => new Set(before).add(person.uid));
    });
  };
  if (people.length === 0) return null;
  return (
    <Section title={tunemateWords.inviteTitle} count={people.length}>
      <List label={tunemateWords.inviteTitle}>
        {people.map((person) => (
          <li key={person.uid}>
            <Row
              lead={<Avatar id={person.uid} name={person.name} size="sm" badge={person.presence.state} />}
              title={person.name}
              detail={tunemateWords.whereabouts(person.uid === partner?.uid, person.presence.state === 'online')}
              trail={<Invite name={person.name} isDone={invited.has(person.uid)} onPress={() => ask(person)} />}
            />
          </li>
        ))}
      </List>
    </Section>
  );
}

/** Stays in its place when the person is invited, and so does its focus. */
function Invite({ name, isDone, onPress }: { name: string; isDone: boolean; onPress: () => void }) {
  const words = isDone ? t`Invited` : tunemateWords.invite;
  return (
    <Button
      small
      variant={isDone ? 'ghost' : 'quiet'}
      aria-disabled={isDone || undefined}
      aria-label={isDone ? `${name}: ${words}` : t`Invite ${name}`}
      onClick={() => isDone || onPress()}
    >
      {words}
    </Button>
  );
}
