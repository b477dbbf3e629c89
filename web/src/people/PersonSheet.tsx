/** The sheet about one person: their relation to the user, and the actions, with those of the host and Block last. */
import type { ReportedThing, RoomCode, RoomKind, Tunemate, Uid, UserCard } from '@tunemate/protocol';
import { useEffect, useState } from 'react';
import { navigate } from '../store/address.ts';
import { useApp } from '../app-context.ts';
import { useTakeBack } from '../soulmate/use-take-back.ts';
import { cell } from '../store/cell.ts';
import { useReadable } from '../store/use-readable.ts';
import { placeOf } from '../tunemates/tunemate-words.ts';
import { useTunemateActions } from '../tunemates/use-tunemate-actions.ts';
import { Sheet } from '../ui/dialogs/Sheet.tsx';
import { AlertIcon, line } from '../ui/icons/icons.tsx';
import { MessageIcon, PeopleIcon, PersonPlusIcon } from '../ui/icons/inside-icons.tsx';
import { PersonMinusIcon } from '../ui/icons/page-icons.tsx';
import { CrownIcon, RemoteIcon } from '../ui/icons/marks.tsx';
import { ActionRow } from '../ui/lists/ActionRow.tsx';
import { Avatar } from '../ui/records/Avatar.tsx';
import { Presence } from '../ui/records/Presence.tsx';
import { personSheetWords as words } from './person-words.ts';
import styles from './PersonSheet.module.css';
import { usePersonActions } from './use-person-actions.ts';
import type { Elements } from '../ui/OwnText.tsx';
import { lazyPart } from '../store/lazy-part.ts';
import { Ban, Disc3, Heart } from 'lucide-react';

const HearsBox = lazyPart(async () => (await import('./Hears.tsx')).HearsBox);
const ReportForm = lazyPart(async () => (await import('./ReportForm.tsx')).ReportForm);

interface PersonSheetProps {
  /** Null where presence is not shown. */
  person: UserCard & { isOnline: boolean | null };
  /** The room that both are in; `host` for its host. */
  room?:
    | {
        kind: RoomKind;
        code: RoomCode;
        name: string;
        host?: HostActs | undefined;
      }
    | undefined;
  /** The chat with them, which is on the screen. */
  chat?: { isBlockedByMe: boolean; isGone: boolean };
  /** Further rows of that chat. */
  chatActions?: Elements;
  /** A message of theirs that is to be reported. */
  reported?: ReportedThing | undefined;
  onClose: () => void;
}

export function PersonSheet({ person, room, chat, chatActions, reported, onClose }: PersonSheetProps) {
  const { mate, isSoulmate, isAsked, hears, ...known } = useKnown(person.uid);
  const takeBack = useTakeBack();
  const { isBlockedByMe, isGone } = chat ?? { isBlockedByMe: false, isGone: false };
  const { invite } = useTunemateActions();
  const actions = usePersonActions({ other: person, isSoulmate, isBlockedByMe });
  const why = actionsFor({
    ...known,
    isTunemate: mate !== undefined,
    isSoulmate,
    isBlockedByMe,
    isGone,
    isChatOpen: chat !== undefined,
    isHere: room !== undefined,
  });
  const [isReporting, setIsReporting] = useState(reported !== undefined);
  const then = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <Sheet title={person.name} caption={room === undefined ? '' : words.inRoom(room.name)} onClose={onClose}>
      <Who person={person} relation={relationOf(mate, isSoulmate)} />
      {hears && <HearsBox hears={hears} other={person} band={chat === undefined ? 'persimmon' : 'celadon'} />}
      {isReporting ? (
        <ReportForm person={person} about={reported ?? { type: 'person' }} onSent={onClose} onMissing={onClose} />
      ) : (
        <div className={styles.acts}>
          <ActionRow
            icon={<MessageIcon />}
            label={words.chat}
            whyNot={why.chat}
            onPress={then(() => navigate(`/chat/${person.uid}`))}
          />
          <ActionRow
            icon={<PersonPlusIcon />}
            label={words.invite}
            whyNot={why.invite}
            onPress={then(() => void invite(person))}
          />
          {(mate !== undefined || isSoulmate) && (
            <ActionRow
              icon={<MusicIcon />}
              label={words.ourMusic}
              onPress={then(() => navigate(`/our-music/${person.uid}`))}
            />
          )}
          {room && mate === undefined && (
            <ActionRow
              icon={<PeopleIcon />}
              label={words.addTunemate}
              detail={words.asksFirst(person.name)}
              onPress={then(() => actions.addTunemate(room))}
            />
          )}
          <ActionRow
            icon={<HeartIcon />}
            label={isSoulmate ? words.stopBeing : isAsked ? words.takeBack : words.ask}
            whyNot={isAsked ? null : why.soulmate}
            onPress={then(isAsked ? () => void takeBack(person) : actions.toggleSoulmate)}
          />
          {room?.host && <HostActions person={person} {...room.host} then={then} />}
          {chatActions}
          <div className={styles.apart}>
            <ActionRow
              icon={<BlockIcon />}
              danger
              label={isBlockedByMe ? words.unblock : words.block}
              onPress={then(actions.toggleBlock)}
            />
            <ActionRow icon={<AlertIcon />} label={words.report} onPress={() => setIsReporting(true)} />
          </div>
        </div>
      )}
    </Sheet>
  );
}

interface HostActs {
  /** Whether the person holds the remote by name. */
  isLent: boolean;
  onLend: (isLent: boolean) => void;
  onMakeHost: () => void;
  onRemove: () => void;
}

interface HostActionsProps extends HostActs {
  person: PersonSheetProps['person'];
  then: (act: () => void) => () => void;
}

function HostActions(props: HostActionsProps) {
  const { person, isLent, onLend, onMakeHost, onRemove, then } = props;
  const { name, isOnline } = person;
  return (
    <>
      <h3 className="meta">{words.thisRoom}</h3>
      <ActionRow
        icon={<RemoteIcon size={20} />}
        label={isLent ? words.takeRemote : words.lendRemote}
        detail={isLent ? undefined : words.remoteMeans}
        onPress={then(() => onLend(!isLent))}
      />
      <ActionRow
        icon={<CrownIcon size={20} />}
        label={words.makeHost}
        detail={words.asksFirst(name)}
        whyNot={isOnline === false ? words.cannotAnswer(name) : null}
        onPress={then(onMakeHost)}
      />
      <ActionRow
        icon={<PersonMinusIcon />}
        danger
        label={words.remove}
        detail={words.mayAskAgain}
        onPress={then(onRemove)}
      />
    </>
  );
}

function Who({ person, relation }: { person: PersonSheetProps['person']; relation: string }) {
  const { uid, name, isOnline } = person;
  const badge = isOnline === null ? undefined : isOnline ? 'online' : 'offline';
  return (
    <div className={styles.person}>
      <Avatar id={uid} name={name} size="xxl" badge={badge} badgeIsNamed />
      <div>
        <h2 dir="auto">{name}</h2>
        {isOnline !== null && <Presence online={isOnline} />}
        <p>{relation}</p>
      </div>
    </div>
  );
}

function relationOf(mate: Tunemate | undefined, isSoulmate: boolean): string {
  if (isSoulmate) return mate === undefined ? words.soulmate : `${words.soulmate}, ${placeOf(mate.metIn)}`;
  return mate === undefined ? words.stranger : words.tunemate(placeOf(mate.metIn));
}

const unknown = cell(null);

/** What this page knows of that person. The list of chats is fetched only where it decides. */
function useKnown(uid: string) {
  const app = useApp();
  const mate = useReadable(app.tunemates.tunemates)?.find((one) => one.uid === uid);
  const bond = useReadable(app.soulmate.soulmate);
  const asked = useReadable(app.soulmate.asked);
  const list = useReadable(app.chats)?.list;
  const rows = useReadable(list?.rows ?? unknown);
  const hears = useReadable(app.hearing).get(uid as Uid);
  const isStranger = mate === undefined;
  useEffect(() => {
    if (isStranger) list?.need();
  }, [isStranger, list]);
  return {
    mate,
    hears,
    isSoulmate: bond.status === 'bound' && bond.soulmate.uid === uid,
    isAsked: bond.status !== 'bound' && asked.some((one) => one.uid === uid),
    hasSoulmate: bond.status === 'bound',
    hasChat: rows && rows.some(({ other }) => other.uid === uid),
  };
}

const BlockIcon = /* @__PURE__ */ line(Ban);
const MusicIcon = /* @__PURE__ */ line(Disc3);
const HeartIcon = /* @__PURE__ */ line(Heart);

export interface PersonFacts {
  readonly isTunemate: boolean;
  readonly isSoulmate: boolean;
  /** The user has a soulmate, this person or another. */
  readonly hasSoulmate: boolean;
  /** Null while that is not known. */
  readonly hasChat: boolean | null;
  readonly isBlockedByMe: boolean;
  readonly isGone: boolean;
  /** Their chat is what the user looks at. */
  readonly isChatOpen: boolean;
  /** The two are in one room. */
  readonly isHere: boolean;
}

/** Why something can't be done now; null when it can. */
interface PersonActions {
  readonly chat: string | null;
  readonly invite: string | null;
  readonly soulmate: string | null;
}

/** The actions of the user about one person, and the reason for each that is disabled. Pure; the server checks again. */
export function actionsFor(facts: PersonFacts): PersonActions {
  return { chat: whyNoChat(facts), invite: whyNoInvitation(facts), soulmate: whyNotSoulmates(facts) };
}

const whyNeither = ({ isGone, isBlockedByMe }: PersonFacts): string | null =>
  isGone ? words.isGone : isBlockedByMe ? words.isBlocked : null;

function whyNoChat({ isChatOpen }: PersonFacts): string | null {
  return isChatOpen ? words.chatIsOpen : null;
}

function whyNoInvitation(facts: PersonFacts): string | null {
  const neither = whyNeither(facts);
  if (neither !== null) return neither;
  if (facts.isHere) return words.isHere;
  return facts.isTunemate || facts.isSoulmate ? null : words.onlyTunemates;
}

function whyNotSoulmates(facts: PersonFacts): string | null {
  if (facts.isSoulmate) return null;
  const neither = whyNeither(facts);
  if (neither !== null) return neither;
  if (facts.hasSoulmate) return words.partFirst;
  return facts.isTunemate || facts.hasChat !== false ? null : words.onlyAcquainted;
}
