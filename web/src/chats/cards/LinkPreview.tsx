/**
 * What the page behind a link of a message says of itself: lines of text that the server read, with a key that hides
 * them on this device. Nothing is loaded from the other host. Asked for once the message is on the screen.
 */
import { mayHavePreview, previewedLink } from '@tunemate/domain';
import type { PairId } from '@tunemate/protocol';
import { useEffect, useId, useRef } from 'react';
import { useApp } from '../../app-context.ts';
import { t } from '../../language/t.ts';
import messageStyles from '../../messages/MessageBubble.module.css';
import { useReadable } from '../../store/use-readable.ts';
import { IconButton } from '../../ui/buttons/IconButton.tsx';
import { CloseIcon } from '../../ui/icons/icons.tsx';
import { hiddenName, hiddenPreviews, hidePreview, linkPreviewsOf, type PreviewedMessage } from './link-previews.ts';
import cardStyles from '../../ui/lists/MediaCards.module.css';

export interface LinkPreviewProps {
  pairId: PairId;
  /** Of the message. */
  number: number;
  text: string;
}

/** Nothing without a link that may have one, and for links of this server. */
export function LinkPreview({ pairId, number, text }: LinkPreviewProps) {
  const link = previewedLink(text);
  if (link === null || !URL.canParse(link)) return null;
  const address = new URL(link);
  if (!mayHavePreview(address) || address.host === location.host) return null;
  return <Shown message={{ pairId, number, href: address.href }} host={address.host} />;
}

function Shown(props: PreviewProps) {
  const isHidden = useReadable(hiddenPreviews).includes(hiddenName(props.message));
  return isHidden ? null : <Preview {...props} />;
}

/** What scrolls by is not asked for, nor what stands on the screen for the frames until an opened chat is at its end. */
const lookedAtMs = 300;

interface PreviewProps {
  message: PreviewedMessage;
  host: string;
}

function Preview({ message, host }: PreviewProps) {
  const { connection } = useApp();
  const previews = linkPreviewsOf(connection);
  const preview = useReadable(previews.of(message));
  const place = useRef<HTMLSpanElement>(null);
  const { pairId, number, href } = message;
  const titleId = useId();
  useEffect(() => {
    if (place.current === null) return undefined;
    let stays: ReturnType<typeof setTimeout> | undefined;
    const seen = new IntersectionObserver((entries) => {
      clearTimeout(stays);
      if (entries.at(-1)?.isIntersecting !== true) return;
      stays = setTimeout(() => {
        seen.disconnect();
        previews.need({ pairId, number, href });
      }, lookedAtMs);
    });
    seen.observe(place.current);
    return () => {
      clearTimeout(stays);
      seen.disconnect();
    };
  }, [previews, pairId, number, href]);
  return (
    // The direction of the page: that of the message is decided by its words.
    <span ref={place} dir={document.dir || 'ltr'} style={{ display: 'flex' }}>
      {preview !== null && (
        <>
          <a
            className={messageStyles.quote}
            style={{ margin: '6px 0 0', textDecoration: 'none' }}
            href={href}
            target="_blank"
            rel="noopener noreferrer"
          >
            <b id={titleId} dir="auto" className={cardStyles.title}>
              {preview.title}
            </b>
            {preview.description !== null && (
              <small dir="auto" className={cardStyles.title} style={{ fontSize: 'inherit' }}>
                {preview.description}
              </small>
            )}
            {/* The host of the link: what a page calls itself may be the name of another. */}
            <span>{[preview.siteName, host].filter(Boolean).join(t` · `)}</span>
          </a>
          <IconButton
            label={t`Hide this preview`}
            aria-describedby={titleId}
            icon={<CloseIcon size={18} />}
            onClick={() => hidePreview(message)}
          />
        </>
      )}
    </span>
  );
}
