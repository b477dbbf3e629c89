/** How to invite to a room: its code, its link, the link as a QR code, and sharing it with another app. */
import type { Admission, RoomDocument } from '@tunemate/protocol';
import { useEffect, useState } from 'react';
import { lazyPart } from '../../store/lazy-part.ts';
import { chosenOrigin } from '../../store/link-address.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { Sheet } from '../../ui/dialogs/Sheet.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';
import { LinkIcon, ShareIcon } from '../../ui/icons/door-icons.tsx';
import { QrIcon } from '../../ui/icons/desk-icons.tsx';
import { CheckIcon } from '../../ui/icons/icons.tsx';
import { CopyIcon } from '../../ui/icons/page-icons.tsx';
import { TileGrid } from '../../ui/records/TileGrid.tsx';
import { CodeTiles } from './CodeTiles.tsx';
import { roomLink, type RoomAddress } from '../room-kinds.ts';
import { joinWords } from './join-words.ts';
import styles from './Invite.module.css';
import type { Elements } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

const QrCode = lazyPart(async () => (await import('./QrCode.tsx')).QrCode);

const InvitePeople = lazyPart(async () => (await import('../../tunemates/InvitePeople.tsx')).InvitePeople);
const LinkAddress = lazyPart(async () => (await import('./LinkAddress.tsx')).LinkAddress);

/** Nothing on a page whose own address is in its links. */
function InNetwork({ canChoose }: { canChoose: boolean }) {
  return useReadable(chosenOrigin) === null ? null : <LinkAddress canChoose={canChoose} />;
}

export function CodeOfRoom({ code }: { code: string }) {
  return (
    <div className={styles.code}>
      <CodeTiles code={code} />
    </div>
  );
}

export const CopyButtons = (address: RoomAddress) => (
  <div className={styles.keys}>
    <CopyKeys {...address} />
  </div>
);

/** Each copies a text and shows whether that worked. */
function CopyKeys({ kind, code, small = false }: RoomAddress & { small?: boolean }) {
  const toast = useToast();
  const copy = (text: string, copied: string, failed: string): void =>
    void copyText(text).then((isCopied) => toast(isCopied ? copied : failed));
  const look = { small, block: !small };
  return (
    <>
      <Button {...look} icon={<CopyIcon size={18} />} onClick={() => copy(code, joinWords.copied, joinWords.notCopied)}>
        {small ? t`Code` : t`Copy Code`}
      </Button>
      <Button
        {...look}
        icon={<LinkIcon size={18} />}
        onClick={() => copy(roomLink(kind, code), t`Room link copied to clipboard!`, joinWords.linkNotCopied)}
      >
        {small ? t`Link` : t`Copy Link`}
      </Button>
    </>
  );
}

/** Where the browser has it. */
function ShareKey({ kind, code }: RoomAddress) {
  if (!('share' in navigator)) return null;
  // Closing the other app's sheet without sharing is no failure.
  const share = (): void => void navigator.share({ url: roomLink(kind, code) }).catch(() => undefined);
  return (
    <Button small icon={<ShareIcon size={18} />} onClick={share}>
      {t`Share`}
    </Button>
  );
}

function Pass({ kind, code, label, children }: RoomAddress & { label: string; children: Elements }) {
  useReadable(chosenOrigin);
  return (
    <div className={styles.pass}>
      <span className={styles.paper}>
        <QrCode address={roomLink(kind, code)} label={label} />
      </span>
      <div className={styles.words}>{children}</div>
    </div>
  );
}

/** `hint` says whether the link needs approval. */
export function QrAndShare({ kind, code, hint }: RoomAddress & { hint?: string | undefined }) {
  return (
    <>
      <Pass {...{ kind, code }} label={t`QR code of the link to room ${code.split('').join(' ')}`}>
        <p>{hint === undefined ? joinWords.scan : `${joinWords.scan} ${hint}`}</p>
        <ShareKey {...{ kind, code }} />
      </Pass>
      <InNetwork canChoose />
    </>
  );
}

interface InvitePlaceProps {
  room: RoomDocument;
  /** Opens the invitation. */
  onInvite: () => void;
}

/**
 * In the sidebar: the whole invitation while one person is here, on one line from two on. Locking the room leaves the
 * place as it is.
 */
export function InvitePlace({ room, onInvite }: InvitePlaceProps) {
  const { kind, code, isLocked } = room;
  if (isLocked) return <p className={styles.locked}>{t`This room is locked. Nobody can ask to come in.`}</p>;
  return room.people === 1 ? <InviteCard {...{ kind, code }} /> : <InviteLine {...{ room, onInvite }} />;
}

function InviteCard(address: RoomAddress) {
  const { code } = address;
  return (
    <section className={styles.card} aria-label={t`Invite people`}>
      <Pass {...address} label={t`QR code of the room’s link`}>
        <h2>{t`Ask somebody in`}</h2>
        <p>{t`They scan this with a phone, or you send the link.`}</p>
      </Pass>
      {/* Hidden, because screen readers read the code in the band. */}
      <div aria-hidden="true">
        <CodeTiles code={code} />
      </div>
      <div className={styles.keys}>
        <CopyKeys {...address} small />
        <ShareKey {...address} />
      </div>
      <InNetwork canChoose={false} />
    </section>
  );
}

const copiedMs = 2000;

function InviteLine({ room: { kind, code }, onInvite }: InvitePlaceProps) {
  const toast = useToast();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copyCode = (): void =>
    void copyText(code).then((isDone) => toast(isDone ? joinWords.copied : joinWords.notCopied));
  const copyLink = (): void =>
    void copyText(roomLink(kind, code)).then((isDone) => {
      if (isDone) setIsCopied(true);
      else toast(joinWords.linkNotCopied);
    });
  return (
    <section className={styles.line} aria-label={t`Invite people`}>
      <TileGrid code={code} className={styles.small} />
      <button type="button" className={styles.copyCode} aria-label={`${code}: ${t`Copy Code`}`} onClick={copyCode}>
        <span dir="ltr">{code}</span>
      </button>
      <Button small icon={isCopied ? <CheckIcon size={18} /> : <LinkIcon size={18} />} onClick={copyLink}>
        <span aria-live="polite">{isCopied ? t`Copied` : t`Copy Link`}</span>
      </Button>
      <IconButton label={t`QR code`} icon={<QrIcon />} framed onClick={onInvite} />
    </section>
  );
}

const hints: Record<Admission, string> = {
  nobody: t`Everyone still asks you first.`,
  friends: t`Your soulmate and tunemates come straight in, others ask you first.`,
  invited: t`People you invited come straight in, others ask you first.`,
  everybody: t`Everyone with it comes straight in.`,
};

interface InviteSheetProps {
  room: RoomDocument;
  /** Who comes in without approval; null for guests, who may not know. */
  admits: Admission | null;
  onClose: () => void;
}

export function InviteSheet({ room, admits, onClose }: InviteSheetProps) {
  useReadable(chosenOrigin);
  return (
    <Sheet title={t`Invite to ${room.name}`} onClose={onClose}>
      <CodeOfRoom code={room.code} />
      <p className={styles.link} dir="ltr">
        {roomLink(room.kind, room.code).replace(/^https?:\/\//, '')}
      </p>
      <CopyButtons {...room} />
      <QrAndShare {...room} hint={admits === null ? undefined : hints[admits]} />
      <InvitePeople room={room} />
    </Sheet>
  );
}
