/** The host chooses who takes the room over. */
import { useState } from 'react';
import type { BandInk } from '../../ui/inks.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ModalCard } from '../../ui/dialogs/ModalCard.tsx';
import { Choices } from '../../ui/fields/Choices.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { type Candidate, detailOf, foundAmong } from './candidates.ts';
import { hostingWords } from './hosting-words.ts';

/** From this many people on there is a field to find one of them. */
const manyPeople = 8;

export interface PickHostProps {
  candidates: readonly Candidate[];
  /** Whether the host leaves when it is taken over. */
  leaves: boolean;
  band: BandInk;
  onFind: (letters: string) => void;
  onBack: () => void;
  onPick: (uid: string) => void;
}

export function PickHost({ candidates, leaves, band, onFind, onBack, onPick }: PickHostProps) {
  const [letters, setLetters] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = foundAmong(candidates, letters);
  // Somebody chosen may have left, or lost the connection.
  const picked = candidates.find(({ uid, online }) => uid === chosen && online);
  const find = candidates.length >= manyPeople && (
    <TextField
      label={hostingWords.find}
      hideLabel
      placeholder={hostingWords.find}
      value={letters}
      onChange={(event) => {
        setLetters(event.target.value);
        onFind(event.target.value);
      }}
      autoComplete="off"
    />
  );
  const list = (
    <Choices
      label={hostingWords.people}
      value={picked?.uid ?? null}
      onChange={setChosen}
      choices={shown.map((person) => ({
        value: person.uid,
        lead: <Avatar id={person.uid} name={person.name} badge={person.online ? 'online' : 'offline'} badgeIsNamed />,
        title: person.name,
        detail: detailOf(person),
        disabled: !person.online,
      }))}
    />
  );
  return (
    <ModalCard
      title={hostingWords.pickTitle}
      text={leaves ? hostingWords.pickAndLeave : hostingWords.pickAndStay}
      band={band}
      onCancel={onBack}
      body={
        <>
          {find}
          {shown.length > 0 ? list : <p>{hostingWords.nobodyFound}</p>}
        </>
      }
    >
      <Button data-first-focus onClick={onBack}>
        {hostingWords.back}
      </Button>
      <Button variant="primary" disabled={!picked} onClick={() => picked && onPick(picked.uid)}>
        {picked ? hostingWords.handOverTo(picked.name) : hostingWords.handOverToNobody}
      </Button>
    </ModalCard>
  );
}
