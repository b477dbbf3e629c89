/** The sidebar of the home screen: the current user, the soulmate, the tunemates, and the logout button. */
import type { Tunemate, UserDocument } from '@tunemate/protocol';
import { Suspense, useState } from 'react';
import { Link } from 'wouter';
import { useApp } from '../app-context.ts';
import { accountSettingsWords } from '../accounts/settings/account-settings-words.ts';
import { homeWords } from '../words/home.ts';
import { sentenceOf } from '../words/errors.ts';
import { SoulmateStrip } from '../soulmate/SoulmateStrip.tsx';
import type { SoulmateWay } from '../people/use-soulmate-way.tsx';
import type { SoulmateState } from '../soulmate/soulmate-model.ts';
import { useBusy } from '../store/use-busy.ts';
import { TunemateList } from '../tunemates/TunemateList.tsx';
import { useModals } from '../ui/dialogs/modals.ts';
import { LeaveIcon } from '../ui/icons/inside-icons.tsx';
import { Button } from '../ui/buttons/Button.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { Presence } from '../ui/records/Presence.tsx';
import styles from './Sidebar.module.css';
import { useTunemateActions } from '../tunemates/use-tunemate-actions.ts';
import { lazyPart } from '../store/lazy-part.ts';

const PersonSheet = lazyPart(async () => (await import('../people/PersonSheet.tsx')).PersonSheet);

const chatHrefOf = (uid: string): string => `/chat/${uid}`;

export function SidebarHead({ user, isOnline }: { user: UserDocument; isOnline: boolean }) {
  return (
    <Link href="/account" className={styles.me}>
      <Avatar id={user.uid} name={user.name} size="lg" badge={isOnline ? 'online' : 'offline'} badgeIsNamed />
      <span className={styles.words}>
        <span className="name" dir="auto">
          {user.name}
        </span>
        <span className={styles.line}>
          <Presence online={isOnline} />
          <span className="link">{accountSettingsWords.title}</span>
        </span>
      </span>
    </Link>
  );
}

interface SidebarBodyProps {
  user: UserDocument;
  soulmate: SoulmateState;
  way: Pick<SoulmateWay, 'asked' | 'choose'>;
  tunemates: readonly Tunemate[];
  /** Closes the sidebar on phones. */
  onLeave: () => void;
}

export function SidebarBody({ user, soulmate, way, tunemates, onLeave }: SidebarBodyProps) {
  const { session, chatbotPopup } = useApp();
  const modals = useModals();
  const leaving = useBusy();
  const { invite, remove } = useTunemateActions();
  const [personUid, setPersonUid] = useState<string | null>(null);
  const person = tunemates.find(({ uid }) => uid === personUid);

  async function logOut(): Promise<void> {
    const answer = await session.signOut();
    // A full page load removes all data of this user from memory.
    if (answer.ok) window.location.assign('/');
    else await modals.ok(homeWords.logoutFailed, { text: sentenceOf(answer.error) });
  }

  return (
    <>
      <SoulmateStrip self={user} soulmate={soulmate} hrefOf={chatHrefOf} asked={way.asked} onChoose={way.choose} />
      <div className={styles.tunemates}>
        <TunemateList
          tunemates={tunemates}
          chatHrefOf={chatHrefOf}
          onInvite={(tunemate) => void invite(tunemate)}
          onRemove={remove}
          onPerson={({ uid }) => setPersonUid(uid)}
        />
      </div>
      <div className={styles.foot}>
        <Button
          variant="ghost"
          icon={<LeaveIcon size={20} />}
          busy={leaving.isBusy}
          onClick={() => leaving.run(logOut)}
        >
          {homeWords.logout}
        </Button>
        <Button
          variant="ghost"
          onClick={() => {
            onLeave();
            chatbotPopup.open();
          }}
        >
          {homeWords.chatbot}
        </Button>
      </div>
      {person && (
        <Suspense>
          <PersonSheet
            person={{ ...person, isOnline: person.presence.state === 'online' }}
            onClose={() => setPersonUid(null)}
          />
        </Suspense>
      )}
    </>
  );
}
