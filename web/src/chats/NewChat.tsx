/** The sheet to begin a chat: those online first, of them the soulmate, with a field from eight people on. */
import { foundBy } from '@tunemate/domain';
import type { Uid } from '@tunemate/protocol';
import { useState } from 'react';
import { useApp } from '../app-context.ts';
import { useReadable } from '../store/use-readable.ts';
import { Sheet } from '../ui/dialogs/Sheet.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { MessageIcon } from '../ui/icons/inside-icons.tsx';
import { List } from '../ui/lists/List.tsx';
import { Row } from '../ui/lists/Row.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { chatWords } from './chat-words.ts';
import { t } from '../language/t.ts';

const peopleWithField = 8;

interface Somebody {
  readonly uid: Uid;
  readonly name: string;
  readonly isOnline: boolean;
  readonly isSoulmate: boolean;
}

export function NewChat({ onClose }: { onClose: () => void }) {
  const people = usePeople();
  const [letters, setLetters] = useState('');
  const isFound = foundBy(letters);
  const found = people.filter(({ name }) => isFound(name));
  return (
    <Sheet title={chatWords.newChat} onClose={onClose}>
      {people.length >= peopleWithField && (
        <TextField
          label={chatWords.find}
          hideLabel
          placeholder={chatWords.find}
          autoComplete="off"
          value={letters}
          onChange={(event) => setLetters(event.target.value)}
        />
      )}
      {found.length === 0 && (
        <p>
          {people.length === 0 ? t`You have no tunemates yet. You meet them in rooms.` : t`No tunemate has this name.`}
        </p>
      )}
      <List label={chatWords.newChat}>
        {found.map(({ uid, name, isOnline, isSoulmate }) => (
          <li key={uid}>
            <Row
              href={`/chat/${uid}`}
              lead={<Avatar id={uid} name={name} badge={isOnline ? 'online' : 'offline'} />}
              title={name}
              detail={whereabouts(isOnline, isSoulmate)}
              trail={<MessageIcon />}
            />
          </li>
        ))}
      </List>
    </Sheet>
  );
}

function usePeople(): readonly Somebody[] {
  const { soulmate, tunemates } = useApp();
  const bond = useReadable(soulmate.soulmate);
  const mates = (useReadable(tunemates.tunemates) ?? []).map(({ uid, name, presence }) => ({ uid, name, presence }));
  const mine = bond.status === 'bound' ? bond.soulmate : null;
  const all = [...(mine === null ? [] : [mine]), ...mates.filter(({ uid }) => uid !== mine?.uid)];
  return all
    .map(({ uid, name, presence }) => {
      return { uid, name, isOnline: presence?.state === 'online', isSoulmate: uid === mine?.uid };
    })
    .toSorted(
      (a, b) =>
        Number(b.isOnline) - Number(a.isOnline) ||
        Number(b.isSoulmate) - Number(a.isSoulmate) ||
        a.name.localeCompare(b.name),
    );
}

function whereabouts(isOnline: boolean, isSoulmate: boolean): string {
  if (isSoulmate) return isOnline ? t`Online, your soulmate` : t`Offline, your soulmate`;
  return isOnline ? t`Online` : t`Offline`;
}
