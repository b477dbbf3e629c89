/** Copies the link to a track, which becomes its card where it is pasted into a private message. */
import { type LibraryTrack, trackPath } from '@tunemate/protocol';
import { t } from '../language/t.ts';
import { linkOrigin } from '../store/link-address.ts';
import { IconButton } from '../ui/buttons/IconButton.tsx';
import { copyText } from '../ui/copy-text.ts';
import { useToast } from '../ui/feedback/toasts.ts';
import { LinkIcon } from '../ui/icons/door-icons.tsx';

export function LinkKey({ track: { videoId, name } }: { track: LibraryTrack }) {
  const toast = useToast();
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(linkOrigin() + trackPath(videoId));
    toast(isCopied ? t`Link copied. Paste it into a message.` : t`The browser does not let pages copy`);
  };
  return <IconButton label={t`Copy the link to ${name}`} icon={<LinkIcon />} onClick={() => void copy()} />;
}
