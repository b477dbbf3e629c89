/** Two buttons of the room's head: Invite for everybody, Room settings for the host. */
import { Suspense, useState } from 'react';
import { admissionWords } from '../join/admission-words.ts';
import { requestSound } from '../requests/request-sound.ts';
import type { Door } from '../requests/use-join-requests.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { PersonPlusIcon, SettingsIcon } from '../../ui/icons/icons.tsx';
import { useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import type { RoomView } from '../visit/Stage.tsx';
import { lazyPart } from '../../store/lazy-part.ts';

const InviteSheet = lazyPart(async () => (await import('../join/InviteSheet.tsx')).InviteSheet);
const InvitePeople = lazyPart(async () => (await import('../../tunemates/InvitePeople.tsx')).InvitePeople);
const RoomSettings = lazyPart(async () => (await import('./RoomSettings.tsx')).RoomSettings);

export function InviteAndSettings({ state, door }: Pick<RoomView, 'state'> & { door: Door }) {
  const { room, admits } = state;
  const [open, setOpen] = useState<'invite' | 'settings' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      {useWideScreen() ? (
        <Button small icon={<PersonPlusIcon size={18} />} onClick={() => setOpen('invite')}>
          Invite
        </Button>
      ) : (
        <IconButton label="Invite" icon={<PersonPlusIcon />} onClick={() => setOpen('invite')} />
      )}
      {admits !== null && (
        <IconButton label="Room settings" icon={<SettingsIcon />} onClick={() => setOpen('settings')} />
      )}
      <Suspense>
        {open === 'invite' && (
          <InviteSheet room={room} hint={admits === null ? undefined : admissionWords.hint[admits]} onClose={close}>
            <InvitePeople room={room} />
          </InviteSheet>
        )}
        {open === 'settings' && admits !== null && (
          <RoomSettings
            room={room}
            admits={admits}
            onAdmits={(chosen) => void door.setAdmission(chosen)}
            sound={requestSound}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}
