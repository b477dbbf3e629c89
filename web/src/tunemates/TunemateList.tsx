/** The tunemates of the sidebar; one row is open at a time and shows the actions for that person. */
import { limits, type Tunemate } from '@tunemate/protocol';
import { useState, type ReactNode } from 'react';
import { placeOf, tunemateWords } from './tunemate-words.ts';
import { MessageIcon, PersonPlusIcon } from '../ui/icons/inside-icons.tsx';
import { PersonMinusIcon } from '../ui/icons/page-icons.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { ActionButton, ActionButtonLink, ActionButtons } from '../ui/lists/ActionButtons.tsx';
import { ExpandableRow } from '../ui/lists/ExpandableRow.tsx';
import { List } from '../ui/lists/List.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { t } from '../language/t.ts';

interface TunemateListProps {
  tunemates: readonly Tunemate[];
  chatHrefOf: (uid: string) => string;
  onInvite: (tunemate: Tunemate) => void;
  onRemove: (tunemate: Tunemate) => void;
  /** Opens the sheet about this person. */
  onPerson: (tunemate: Tunemate) => void;
}

export function TunemateList({ tunemates, chatHrefOf, onInvite, onRemove, onPerson }: TunemateListProps) {
  const [openUid, setOpenUid] = useState<string | null>(null);
  return (
    <Section title={tunemateWords.title} count={countOf(tunemates.length)} scroll>
      {tunemates.length === 0 ? (
        <EmptyState message={tunemateWords.empty} hint={tunemateWords.emptyHint} />
      ) : (
        <List label={tunemateWords.title}>
          {tunemates.map((tunemate) => (
            <li key={tunemate.uid}>
              <TunemateRow
                tunemate={tunemate}
                open={tunemate.uid === openUid}
                onToggle={() => setOpenUid(tunemate.uid === openUid ? null : tunemate.uid)}
              >
                <ActionButtons label={tunemate.name}>
                  <ActionButton icon={<PersonPlusIcon size={18} />} onPress={() => onInvite(tunemate)}>
                    {tunemateWords.invite}
                  </ActionButton>
                  <ActionButton icon={<PersonMinusIcon size={18} />} danger onPress={() => onRemove(tunemate)}>
                    {tunemateWords.remove}
                  </ActionButton>
                  <ActionButtonLink icon={<MessageIcon size={18} />} href={chatHrefOf(tunemate.uid)}>
                    {tunemateWords.chat}
                  </ActionButtonLink>
                </ActionButtons>
                <Button variant="ghost" small block aria-haspopup="dialog" onClick={() => onPerson(tunemate)}>
                  {tunemateWords.about(tunemate.name)}
                </Button>
              </TunemateRow>
            </li>
          ))}
        </List>
      )}
    </Section>
  );
}

interface TunemateRowProps {
  tunemate: Tunemate;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}

function TunemateRow({ tunemate: { uid, name, presence, metIn }, open, onToggle, children }: TunemateRowProps) {
  return (
    <ExpandableRow
      lead={<Avatar id={uid} name={name} badge={presence.state} badgeIsNamed />}
      title={name}
      detail={`${presence.state === 'online' ? t`Online` : t`Offline`}, ${placeOf(metIn)}`}
      open={open}
      onToggle={onToggle}
    >
      {children}
    </ExpandableRow>
  );
}

/** '8 / 50'. The list joins two of 50 each, so beyond 50 the limit would be wrong. */
function countOf(count: number): string {
  return count <= limits.tunemates ? `${count} / ${limits.tunemates}` : String(count);
}
