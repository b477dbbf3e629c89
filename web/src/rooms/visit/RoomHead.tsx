/**
 * The head of a room: its name, its host, Invite, Room settings, and Leave. On phones it is the band, with a bell for
 * unread chats and notifications; on wide screens the layout's band has links for them.
 */
import { Suspense, useState } from 'react';
import { UnreadLink, useUnread } from '../../shell/UnreadLink.tsx';
import { lazyPart } from '../../store/lazy-part.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { LockIcon, SettingsIcon } from '../../ui/icons/film-icons.tsx';
import { LeaveIcon, PersonPlusIcon } from '../../ui/icons/inside-icons.tsx';
import { CrownIcon } from '../../ui/icons/marks.tsx';
import { useWideScreen } from '../../ui/layout/use-wide-screen.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { roomSentences } from '../room-words.ts';
import styles from './RoomHead.module.css';
import { hostName } from './room-model.ts';
import type { RoomView } from './visit.ts';
import { t } from '../../language/t.ts';

const InviteSheet = lazyPart(async () => (await import('../join/Invite.tsx')).InviteSheet);
const InvitePeople = lazyPart(async () => (await import('../../tunemates/InvitePeople.tsx')).InvitePeople);
const RoomSettings = lazyPart(async () => (await import('../sidebar/RoomSettings.tsx')).RoomSettings);

export function RoomHead(props: RoomView & { onLeave: () => void }) {
  const { state, self, onLeave } = props;
  const { room } = state;
  return (
    <div className={styles.head}>
      <div className={styles.words}>
        <h1 dir="auto">{room.name}</h1>
        <p className={styles.label}>
          <CrownIcon />
          <span className={styles.leader}>{room.host === self.uid ? roomSentences.youHost : hostName(room)}</span>
          {room.isLocked && (
            <span className={styles.locked}>
              <LockIcon size={14} />
              <span>{roomSentences.locked}</span>
            </span>
          )}
          <span className={styles.code}>
            <VisuallyHidden>{`${t`Room code`} `}</VisuallyHidden>
            <span>{room.code}</span>
          </span>
        </p>
      </div>
      <div className={styles.more}>
        <InviteAndSettings {...props} />
        <UnreadBell />
      </div>
      <Button variant="danger" small className={styles.action} icon={<LeaveIcon size={18} />} onClick={onLeave}>
        {t`Leave`}
      </Button>
    </div>
  );
}

function InviteAndSettings({ visit: { requests }, state: { room } }: RoomView) {
  const { admits } = useReadable(requests.state);
  const [open, setOpen] = useState<'invite' | 'settings' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      {useWideScreen() ? (
        <Button small icon={<PersonPlusIcon size={18} />} onClick={() => setOpen('invite')}>
          {t`Invite`}
        </Button>
      ) : (
        <IconButton label={t`Invite`} icon={<PersonPlusIcon />} onClick={() => setOpen('invite')} />
      )}
      {admits !== null && (
        <IconButton label={t`Room settings`} icon={<SettingsIcon />} onClick={() => setOpen('settings')} />
      )}
      <Suspense>
        {open === 'invite' && (
          <InviteSheet room={room} admits={admits} onClose={close}>
            <InvitePeople room={room} />
          </InviteSheet>
        )}
        {open === 'settings' && admits !== null && (
          <RoomSettings room={room} admits={admits} model={requests} onClose={close} />
        )}
      </Suspense>
    </>
  );
}

/** For the head on phones: leads to the notifications, or to the chats when only they are unread. */
function UnreadBell() {
  const { chats, notices } = useUnread();
  return (
    <span className={styles.phone}>
      {notices === 0 && chats > 0 ? (
        <UnreadLink href="/chats" count={chats} />
      ) : (
        <UnreadLink href="/notifications" count={chats + notices} />
      )}
    </span>
  );
}
