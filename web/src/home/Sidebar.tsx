/** The sidebar of the home screen: the current user, the soulmate, the tunemates, and the logout button. */
import { type Hearing, limits, type Tunemate, type UserDocument } from '@tunemate/protocol';
import { useRef, useState, type ReactNode } from 'react';
import { Link } from '../ui/Link.tsx';
import { useApp } from '../app-context.ts';
import { accountSettingsWords } from '../accounts/settings/account-settings-words.ts';
import { homeWords } from '../words/home.ts';
import { useAnswerOf } from '../words/use-answer-of.ts';
import type { SoulmateState } from '../soulmate/soulmate-model.ts';
import { useBusy } from '../store/use-busy.ts';
import { useReadable } from '../store/use-readable.ts';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { useModals } from '../ui/dialogs/modals.ts';
import { useModalElement } from '../ui/dialogs/use-modal-element.ts';
import { CloseIcon } from '../ui/icons/icons.tsx';
import { useWideScreen } from '../ui/layout/use-wide-screen.ts';
import { LeaveIcon, MessageIcon, PersonPlusIcon } from '../ui/icons/inside-icons.tsx';
import { Button, ButtonLink } from '../ui/buttons/Button.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { Presence } from '../ui/records/Presence.tsx';
import styles from './Sidebar.module.css';
import type { SoulmateWay } from '../people/soulmate-way.tsx';
import { useTunemateActions } from '../tunemates/use-tunemate-actions.ts';
import { lazyPart } from '../store/lazy-part.ts';
import { classNames } from '../ui/class-names.ts';
import { soulmateWords } from '../soulmate/soulmate-words.ts';
import { AvatarPair, type PairedPerson } from '../soulmate/AvatarPair.tsx';
import strip from './SoulmateStrip.module.css';
import drawer from './Drawer.module.css';
import buttons from './ActionButtons.module.css';
import { placeOf, tunemateWords } from '../tunemates/tunemate-words.ts';
import { GearIcon, PersonMinusIcon } from '../ui/icons/page-icons.tsx';
import { ExpandableRow } from '../ui/lists/ExpandableRow.tsx';
import { List } from '../ui/lists/List.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import type { Elements } from '../ui/OwnText.tsx';
import { t } from '../language/t.ts';

const HearsLine = lazyPart(async () => (await import('../people/Hears.tsx')).HearsLine);
const HearsPicture = lazyPart(async () => (await import('../people/Hears.tsx')).HearsPicture);
const ListenAlong = lazyPart(async () => (await import('../people/Hears.tsx')).ListenAlong);
const PersonSheet = lazyPart(async () => (await import('../people/PersonSheet.tsx')).PersonSheet);

const chatHrefOf = (uid: string): string => `/chat/${uid}`;

interface SidebarProps {
  user: UserDocument;
  isOnline: boolean;
  /** Matters on phones only; Escape, the scrim and the close button call `onClose`. */
  open: boolean;
  onClose: () => void;
  children: Elements;
}

/**
 * An open column beside the page on wide screens, a modal drawer over a scrim on phones. Its content is rendered once;
 * crossing 769 px moves it between the two.
 */
export function Sidebar(props: SidebarProps) {
  const { user, isOnline, open, children } = props;
  const isWide = useWideScreen();
  if (!isWide) return open ? <PhoneDrawer {...props} /> : null;
  return (
    <aside className={drawer.column} aria-label={homeWords.menu}>
      <div className={drawer.head}>
        <SidebarHead {...{ user, isOnline }} />
      </div>
      {children}
    </aside>
  );
}

function PhoneDrawer({ user, isOnline, onClose, children }: SidebarProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useModalElement(dialog, onClose, { scrimCloses: true });
  return (
    <dialog ref={dialog} aria-label={homeWords.menu} className={drawer.drawer}>
      <div className={drawer.panel}>
        <div className={drawer.head}>
          <SidebarHead {...{ user, isOnline }} />
          <IconButton label={t`Close menu`} icon={<CloseIcon size={22} />} data-first-focus onClick={onClose} />
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** On phones the close button is at its right; on wide screens its name is the heading of the page. */
function SidebarHead({ user, isOnline }: Pick<SidebarProps, 'user' | 'isOnline'>) {
  const Name = useWideScreen() ? 'h1' : 'span';
  return (
    <div className={styles.me}>
      <Avatar id={user.uid} name={user.name} size="lg" badge={isOnline ? 'online' : 'offline'} badgeIsNamed />
      <span className={styles.words}>
        <Name className="name" dir="auto">
          {user.name}
        </Name>
        <Presence online={isOnline} />
      </span>
    </div>
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
  const { session, chats, chatbotPopup } = useApp();
  const modals = useModals();
  const answerOf = useAnswerOf({ failed: t`You are still logged in` });
  const leaving = useBusy();
  const { invite, remove } = useTunemateActions();
  const [personUid, setPersonUid] = useState<string | null>(null);
  const person = tunemates.find(({ uid }) => uid === personUid);

  async function logOut(): Promise<void> {
    const unsent = chats.get()?.unsent() ?? 0;
    const question = { ...homeWords.unsent(unsent), action: homeWords.logout, danger: true };
    if (unsent > 0 && !(await modals.confirm(question))) return;
    // A full page load removes all data of this user from memory.
    if (await answerOf(session.signOut())) window.location.assign('/');
  }

  return (
    <>
      <SoulmateStrip self={user} soulmate={soulmate} asked={way.asked} onChoose={way.choose} />
      <div className={styles.tunemates}>
        <TunemateList
          tunemates={tunemates}
          onInvite={(tunemate) => void invite(tunemate)}
          onRemove={remove}
          onPerson={({ uid }) => setPersonUid(uid)}
        />
      </div>
      <div className={styles.foot}>
        <ButtonLink href="/account" variant="ghost" icon={<GearIcon size={20} />}>
          {accountSettingsWords.title}
        </ButtonLink>
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
          {t`Chatbot`}
        </Button>
      </div>
      {person && (
        <PersonSheet
          person={{ ...person, isOnline: person.presence.state === 'online' }}
          onClose={() => setPersonUid(null)}
        />
      )}
    </>
  );
}

interface SoulmateStripProps {
  self: PairedPerson;
  soulmate: SoulmateState;
  asked: PairedPerson | null;
  onChoose: () => void;
}

/** The soulmate in the sidebar, as a link to their chat; the person asked; or a button that opens the choice. */
function SoulmateStrip({ self, soulmate, asked, onChoose }: SoulmateStripProps) {
  const hearing = useReadable(useApp().hearing);
  if (soulmate.status !== 'bound' && asked !== null) {
    return (
      <div className={strip.strip} data-band="blush">
        <Pair self={self} other={asked} label={soulmateWords.isAsked} />
      </div>
    );
  }
  if (soulmate.status !== 'bound') {
    return (
      <button type="button" className={strip.strip} data-band="blush" aria-haspopup="dialog" onClick={onChoose}>
        <span className={strip.ghost} aria-hidden="true" />
        <strong className={classNames('name', strip.name)}>{soulmateWords.add}</strong>
      </button>
    );
  }
  const hears = hearing.get(soulmate.soulmate.uid);
  return (
    <Link href={chatHrefOf(soulmate.soulmate.uid)} className={strip.strip} data-band="blush">
      <Pair self={self} other={soulmate.soulmate} label={soulmateWords.label} hears={hears} />
    </Link>
  );
}

interface PairProps {
  self: PairedPerson;
  other: PairedPerson;
  label: string;
  hears?: Hearing | undefined;
}

function Pair({ self, other, label, hears }: PairProps) {
  return (
    <>
      {hears ? <Avatar id={other.uid} name={other.name} /> : <AvatarPair one={self} other={other} />}
      <span className={strip.words}>
        <span className={classNames('meta', strip.label)}>{label}</span>
        <strong className={classNames('name', strip.name)} dir="auto">
          {other.name}
        </strong>
        {hears && (
          <span className={classNames('meta', strip.label)}>
            <HearsLine hears={hears} />
          </span>
        )}
      </span>
      {hears && <HearsPicture hears={hears} size={40} />}
    </>
  );
}

interface TunemateListProps {
  tunemates: readonly Tunemate[];
  onInvite: (tunemate: Tunemate) => void;
  onRemove: (tunemate: Tunemate) => void;
  /** Opens the sheet about this person. */
  onPerson: (tunemate: Tunemate) => void;
}

/** The tunemates of the sidebar; one row is open at a time and shows the actions for that person. */
function TunemateList({ tunemates, onInvite, onRemove, onPerson }: TunemateListProps) {
  const [openUid, setOpenUid] = useState<string | null>(null);
  const hearing = useReadable(useApp().hearing);
  return (
    <Section title={tunemateWords.title} count={countOf(tunemates.length)} scroll>
      {tunemates.length === 0 ? (
        <EmptyState message={t`No tunemates yet`} hint={t`Let someone into your room and they appear here.`} />
      ) : (
        <List label={tunemateWords.title}>
          {inOrder(tunemates, hearing).map((tunemate) => (
            <li key={tunemate.uid}>
              <TunemateRow
                tunemate={tunemate}
                hears={hearing.get(tunemate.uid)}
                open={tunemate.uid === openUid}
                onToggle={() => setOpenUid(tunemate.uid === openUid ? null : tunemate.uid)}
              >
                {hearing.get(tunemate.uid)?.untilMs === null && (
                  <ListenAlong other={tunemate} band="persimmon" variant="primary" block small />
                )}
                <div className={buttons.keys} {...groupOf(tunemate.name)}>
                  <button type="button" className={buttons.key} onClick={() => onInvite(tunemate)}>
                    <PersonPlusIcon size={18} />
                    <span>{tunemateWords.invite}</span>
                  </button>
                  <button
                    type="button"
                    className={classNames(buttons.key, buttons.danger)}
                    onClick={() => onRemove(tunemate)}
                  >
                    <PersonMinusIcon size={18} />
                    <span>{tunemateWords.remove}</span>
                  </button>
                  <Link href={chatHrefOf(tunemate.uid)} className={buttons.key}>
                    <MessageIcon size={18} />
                    <span>{tunemateWords.chat}</span>
                  </Link>
                </div>
                <Button variant="ghost" small block aria-haspopup="dialog" onClick={() => onPerson(tunemate)}>
                  {t`About ${tunemate.name}`}
                </Button>
              </TunemateRow>
            </li>
          ))}
        </List>
      )}
    </Section>
  );
}

/** Of buttons about one person. */
const groupOf = (label: string) => ({ role: 'group', 'aria-label': label }) as const;

/** People who hear something first. */
function inOrder(tunemates: readonly Tunemate[], hearing: ReadonlyMap<string, Hearing>): readonly Tunemate[] {
  const [hear = [], others = []] = [true, false].map((does) =>
    tunemates.filter(({ uid }) => (hearing.get(uid)?.untilMs === null) === does),
  );
  return hear.length === 0 ? tunemates : [...hear, ...others];
}

interface TunemateRowProps {
  tunemate: Tunemate;
  hears: Hearing | undefined;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}

function TunemateRow({ tunemate, hears, open, onToggle, children }: TunemateRowProps) {
  const { uid, name, presence, metIn } = tunemate;
  const met = `${presence.state === 'online' ? t`Online` : t`Offline`}, ${placeOf(metIn)}`;
  return (
    <ExpandableRow
      lead={<Avatar id={uid} name={name} badge={presence.state} badgeIsNamed={hears === undefined} />}
      title={name}
      detail={hears === undefined ? met : <HearsLine hears={hears} instead={met} fallback={met} />}
      trail={hears && <HearsPicture hears={hears} size={40} />}
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
