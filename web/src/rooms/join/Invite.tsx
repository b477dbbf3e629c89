/** How to invite to a room: its code, its link, the link as a QR code, and sharing it with another app. */
import type { Admission, RoomDocument } from '@tunemate/protocol';
import { lazyPart } from '../../store/lazy-part.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { Sheet } from '../../ui/dialogs/Sheet.tsx';
import { useToast } from '../../ui/feedback/toasts.ts';
import { LinkIcon, ShareIcon } from '../../ui/icons/door-icons.tsx';
import { CopyIcon } from '../../ui/icons/page-icons.tsx';
import { CodeTiles } from './CodeTiles.tsx';
import { roomLink, type RoomAddress } from '../room-kinds.ts';
import { joinWords } from './join-words.ts';
import styles from './Invite.module.css';
import type { Elements } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

const QrCode = lazyPart(async () => (await import('./QrCode.tsx')).QrCode);

export function CodeOfRoom({ code }: { code: string }) {
  return (
    <div className={styles.code}>
      <CodeTiles code={code} label={t`Room code`} />
    </div>
  );
}

export function CopyButtons({ kind, code }: RoomAddress) {
  const copy = useCopy();
  const { copied, notCopied, linkCopied, linkNotCopied } = joinWords;
  return (
    <div className={styles.keys}>
      <Button block icon={<CopyIcon size={18} />} onClick={() => copy(code, { copied, failed: notCopied })}>
        {t`Copy Code`}
      </Button>
      <Button
        block
        icon={<LinkIcon size={18} />}
        onClick={() => copy(roomLink(kind, code), { copied: linkCopied, failed: linkNotCopied })}
      >
        {t`Copy Link`}
      </Button>
    </div>
  );
}

/** The QR code, and Share where the browser has it. `hint` says whether the link needs approval. */
export function QrAndShare({ kind, code, hint }: RoomAddress & { hint?: string | undefined }) {
  const url = roomLink(kind, code);
  // Closing the other app's sheet without sharing is no failure.
  const share = (): void => void navigator.share({ url }).catch(() => undefined);
  return (
    <div className={styles.pass}>
      <span className={styles.paper}>
        <QrCode address={url} label={t`QR code of the link to room ${code.split('').join(' ')}`} />
      </span>
      <div className={styles.words}>
        <p>{hint === undefined ? joinWords.scan : `${joinWords.scan} ${hint}`}</p>
        {'share' in navigator && (
          <Button small icon={<ShareIcon size={18} />} onClick={share}>
            {t`Share`}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Copies a text and shows whether that worked. */
export function useCopy(): (text: string, words: { copied: string; failed: string }) => void {
  const toast = useToast();
  return (text, { copied, failed }) => void copyText(text).then((isCopied) => toast(isCopied ? copied : failed));
}

const hints: Record<Admission, string> = {
  nobody: t`Everyone still asks you first.`,
  friends: t`Your soulmate and tunemates come straight in, others ask you first.`,
  invited: t`People you invited come straight in, others ask you first.`,
  everybody: t`Everyone with it comes straight in.`,
};

interface InviteSheetProps {
  room: Pick<RoomDocument, 'kind' | 'code' | 'name'>;
  /** Who comes in without approval; null for guests, who may not know. */
  admits: Admission | null;
  onClose: () => void;
  children: Elements;
}

/** `children` lists the people who can be invited. */
export function InviteSheet({ room, admits, onClose, children }: InviteSheetProps) {
  return (
    <Sheet title={t`Invite to ${room.name}`} onClose={onClose}>
      <CodeOfRoom code={room.code} />
      <p className={styles.link} dir="ltr">
        {roomLink(room.kind, room.code).replace(/^https?:\/\//, '')}
      </p>
      <CopyButtons {...room} />
      <QrAndShare {...room} hint={admits === null ? undefined : hints[admits]} />
      {children}
    </Sheet>
  );
}
