/** The dialogs about leaving and handing over a room; `HostingFlow` decides which one is open. */
import { foundBy } from '@tunemate/domain';
import { type HandOver, limits, type RoomDocument } from '@tunemate/protocol';
import { useEffect, useState } from 'react';
import { firstName } from '../../people/person-words.ts';
import { Button, Spinner } from '../../ui/buttons/Button.tsx';
import { ModalCard } from '../../ui/dialogs/ModalCard.tsx';
import { Choices } from '../../ui/fields/Choices.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { CloseIcon } from '../../ui/icons/icons.tsx';
import { HomeIcon } from '../../ui/icons/page-icons.tsx';
import { CrownIcon } from '../../ui/icons/marks.tsx';
import type { BandInk } from '../../ui/inks.ts';
import { factsOf } from '../room-kinds.ts';
import { Avatar } from '../../ui/records/Avatar.tsx';
import styles from './HostingDialogs.module.css';
import { t } from '../../language/t.ts';

export type HostingStep =
  | { readonly type: 'leave' }
  | { readonly type: 'pick'; readonly leaves: boolean }
  | { readonly type: 'cannot'; readonly name: string; readonly leaves: boolean };

export interface OpenOffer extends HandOver {
  /** The time to answer when this page first saw the offer. */
  readonly leftMs: number;
}

export interface HostingDialogsProps {
  room: RoomDocument;
  selfUid: string;
  band: BandInk;
  step: HostingStep | null;
  offer: OpenOffer | null;
  relationOf: (uid: string) => Relation;
  onStep: (step: HostingStep | null) => void;
  /** Loads the participants with this name in a large room. */
  onFind: (letters: string) => void;
  onEnd: () => void;
  onLetHousePlay: () => void;
  onOffer: (uid: string, leaves: boolean) => void;
  onTakeBack: () => void;
  onAnswer: (takes: boolean) => void;
}

export function HostingDialogs(props: HostingDialogsProps) {
  const { room, selfUid, band, step, offer, relationOf, onStep } = props;
  const others = room.people - 1;
  const nameOf = (uid: string): string => room.participants.find((person) => person.uid === uid)?.name ?? '';
  if (offer !== null && offer.to === selfUid) {
    const asked = { host: nameOf(room.host), room: room.name, others, leftMs: offer.leftMs, band };
    return <AskedDialog {...asked} onAnswer={props.onAnswer} />;
  }
  if (room.host !== selfUid) return null;
  if (offer !== null) return <AskingDialog name={nameOf(offer.to)} band={band} onTakeBack={props.onTakeBack} />;
  if (step?.type === 'leave') {
    return (
      <LeaveDialog
        room={room.name}
        others={others}
        band={band}
        onCancel={() => onStep(null)}
        onEnd={props.onEnd}
        onLetHousePlay={factsOf(room.kind).panels.upNext === 'suggestions' ? props.onLetHousePlay : null}
        onHandOver={() => onStep({ type: 'pick', leaves: true })}
      />
    );
  }
  if (step?.type === 'pick') {
    return (
      <PickHost
        candidates={candidatesFor(room, relationOf)}
        leaves={step.leaves}
        onFind={props.onFind}
        band={band}
        onBack={() => onStep(step.leaves ? { type: 'leave' } : null)}
        onPick={(uid) => props.onOffer(uid, step.leaves)}
      />
    );
  }
  if (step?.type === 'cannot') {
    return (
      <CannotDialog
        name={step.name}
        band={band}
        onStay={() => onStep(null)}
        onChooseAgain={() => onStep({ type: 'pick', leaves: step.leaves })}
      />
    );
  }
  return null;
}

interface LeaveDialogProps {
  room: string;
  others: number;
  band: BandInk;
  onCancel: () => void;
  onEnd: () => void;
  /** Null where the kind of room has no Suggested. */
  onLetHousePlay: (() => void) | null;
  onHandOver: () => void;
}

/** For a host with others in the room: end it for everyone, hand it over, or let the house play. */
function LeaveDialog({ room, others, band, onCancel, onEnd, onHandOver, onLetHousePlay }: LeaveDialogProps) {
  const [how, setHow] = useState<'end' | 'handOver' | 'house'>('end');
  const house = {
    value: 'house',
    lead: <HomeIcon size={24} />,
    title: hostingWords.house,
    detail: hostingWords.houseDetail,
  } as const;
  return (
    <ModalCard
      title={t`Leave ${room}?`}
      text={hostingWords.others(others)}
      band={band}
      onCancel={onCancel}
      body={
        <Choices
          label={t`How you leave`}
          framed
          value={how}
          onChange={setHow}
          choices={[
            {
              value: 'end',
              lead: <CloseIcon size={24} />,
              title: hostingWords.end,
              detail: t`The room closes for everyone in it.`,
            },
            {
              value: 'handOver',
              lead: <CrownIcon size={24} />,
              title: hostingWords.handOver,
              detail: t`You choose who hosts. The music goes on.`,
            },
            ...(onLetHousePlay === null ? [] : [house]),
          ]}
        />
      }
    >
      <Button data-first-focus onClick={onCancel}>
        {t`Cancel`}
      </Button>
      {how === 'end' ? (
        <Button variant="dangerFill" onClick={onEnd}>
          {hostingWords.end}
        </Button>
      ) : (
        <Button variant="primary" onClick={how === 'house' ? (onLetHousePlay ?? onCancel) : onHandOver}>
          {how === 'house' ? hostingWords.house : hostingWords.handOver}
        </Button>
      )}
    </ModalCard>
  );
}

const candidatesWithSearch = 8;

interface PickHostProps {
  candidates: readonly Candidate[];
  /** Whether the host leaves after handing over. */
  leaves: boolean;
  band: BandInk;
  onFind: (letters: string) => void;
  onBack: () => void;
  onPick: (uid: string) => void;
}

function PickHost({ candidates, leaves, band, onFind, onBack, onPick }: PickHostProps) {
  const [letters, setLetters] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = foundAmong(candidates, letters);
  // The chosen person may have left or lost the connection meanwhile.
  const free = candidates.filter(({ online }) => online);
  // A single candidate needs no choice, unless another one was chosen.
  const picked = free.find(({ uid }) => uid === chosen || (chosen === null && candidates.length === 1));
  const find = candidates.length >= candidatesWithSearch && (
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
      label={t`Participants`}
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
      title={t`Who hosts now?`}
      text={
        leaves
          ? t`The person is asked first. You leave when they say yes.`
          : t`The person is asked first. You stay in the room.`
      }
      band={band}
      onCancel={onBack}
      body={
        <>
          {find}
          {shown.length > 0 ? list : <p>{t`Nobody of this name is here.`}</p>}
        </>
      }
    >
      <Button data-first-focus onClick={onBack}>
        {t`Back`}
      </Button>
      <Button variant="primary" disabled={!picked} onClick={() => picked && onPick(picked.uid)}>
        {picked ? hostingWords.handOverTo(picked.name) : t`Hand over`}
      </Button>
    </ModalCard>
  );
}

export type Relation = 'soulmate' | 'tunemate' | null;

interface Candidate {
  readonly uid: string;
  readonly name: string;
  readonly online: boolean;
  readonly relation: Relation;
}

const rank = { soulmate: 0, tunemate: 1 } as const;
const rankOf = ({ relation }: Candidate): number => (relation === null ? 2 : rank[relation]);

/** The soulmate, tunemates, then all others; within each group in the order of joining. */
function candidatesFor(room: RoomDocument, relationOf: (uid: string) => Relation): readonly Candidate[] {
  return room.participants
    .filter(({ uid }) => uid !== room.host)
    .map(({ uid, name, online }) => ({ uid, name, online, relation: relationOf(uid) }))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

function detailOf({ online, relation }: Candidate): string | undefined {
  if (!online) return t`Reconnecting…`;
  return relation === null ? undefined : hostingWords[relation];
}

function foundAmong(candidates: readonly Candidate[], letters: string): readonly Candidate[] {
  const isFound = foundBy(letters);
  return candidates.filter(({ name }) => isFound(name));
}

function AskingDialog({ name, band, onTakeBack }: { name: string; band: BandInk; onTakeBack: () => void }) {
  return (
    <ModalCard
      title={hostingWords.asking(name)}
      text={hostingWords.askingDetail(name)}
      band={band}
      onCancel={onTakeBack}
      body={
        <output className={styles.waiting}>
          <Spinner />
          <span>{t`Waiting for ${name}`}</span>
        </output>
      }
    >
      <Button data-first-focus onClick={onTakeBack}>
        {t`Take back`}
      </Button>
    </ModalCard>
  );
}

interface CannotDialogProps {
  name: string;
  band: BandInk;
  onStay: () => void;
  onChooseAgain: () => void;
}

/** The offer was declined or has expired. */
function CannotDialog({ name, band, onStay, onChooseAgain }: CannotDialogProps) {
  return (
    <ModalCard
      title={hostingWords.cannot(name)}
      text={t`You are still the host. Choose somebody else, or stay.`}
      band={band}
      onCancel={onStay}
    >
      <Button data-first-focus onClick={onStay}>
        {t`Stay`}
      </Button>
      <Button variant="primary" onClick={onChooseAgain}>
        {t`Choose again`}
      </Button>
    </ModalCard>
  );
}

interface AskedDialogProps {
  host: string;
  room: string;
  others: number;
  /** The time to answer when the dialog opens. */
  leftMs: number;
  band: BandInk;
  onAnswer: (takes: boolean) => void;
}

/** For the person who is offered the room. */
function AskedDialog({ host, room, others, leftMs, band, onAnswer }: AskedDialogProps) {
  const nowMs = useLeft(leftMs);
  return (
    <ModalCard
      title={hostingWords.asked(host, room)}
      text={hostingWords.askedDetail(others)}
      band={band}
      onCancel={() => onAnswer(false)}
      body={
        <div className={styles.line} role="timer" aria-label={hostingWords.secondsLeft(Math.ceil(nowMs / 1000))}>
          <i style={{ transform: `scaleX(${String(nowMs / limits.handOverMs)})` }} />
        </div>
      }
    >
      <Button data-first-focus onClick={() => onAnswer(false)}>
        {t`No thanks`}
      </Button>
      <Button variant="primary" onClick={() => onAnswer(true)}>
        {t`Take over`}
      </Button>
    </ModalCard>
  );
}

/** What is left of a time that runs out, second by second. */
function useLeft(fromMs: number): number {
  const [leftMs, setLeftMs] = useState(fromMs);
  useEffect(() => {
    const endsAt = performance.now() + fromMs;
    const timer = setInterval(() => setLeftMs(Math.max(0, endsAt - performance.now())), 1000);
    return () => clearInterval(timer);
  }, [fromMs]);
  return leftMs;
}

const hostingWords = {
  others: (count: number) =>
    count === 1
      ? t`You are the host. One other person is here.`
      : t`You are the host. ${String(count)} others are here.`,
  end: t`End for everyone`,
  handOver: t`Hand over and leave`,
  house: t`Let the house play`,
  houseDetail: t`Suggested goes on while somebody is here. You stay the host.`,
  find: t`Find somebody`,
  handOverTo: (name: string) => t`Hand over to ${firstName(name)}`,
  asking: (name: string) => t`Asking ${firstName(name)}`,
  askingDetail: (name: string) => t`You stay the host until ${firstName(name)} says yes.`,
  cannot: (name: string) => t`${firstName(name)} can’t host now`,
  asked: (host: string, room: string) => t`${firstName(host)} hands you ${room}`,
  askedDetail: (others: number) =>
    others === 1
      ? t`You would choose the music for one person and let people in. It plays on while you decide.`
      : t`You would choose the music for ${String(others)} people and let people in. It plays on while you decide.`,
  secondsLeft: (seconds: number) => t`${String(seconds)} seconds left`,
  soulmate: t`Your soulmate`,
  tunemate: t`Tunemate`,
} as const;
