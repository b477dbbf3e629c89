/** What YouTube's frame tells of the video it has: which one it is, its title and author, and whether it is live. Pure. */
import { cleanTitle } from '@tunemate/protocol';

/** All of it may be missing while a video is being cued. */
type VideoFacts = Partial<YT.VideoData> & { readonly isLive?: boolean };

/** Facts about the video that was asked for; right after a cue the frame may still tell those of the one before. */
export function factsAbout(
  trackKey: string | undefined,
  player: { readonly getVideoData?: () => VideoFacts | undefined } | null,
): VideoFacts {
  const facts = player?.getVideoData?.() ?? {};
  const isAnother = facts.video_id !== undefined && facts.video_id !== trackKey;
  return isAnother ? {} : facts;
}

/** The video's title, followed by its author where the title does not contain the name. */
export function titleOf({ title = '', author = '' }: VideoFacts): string | null {
  if (title === '') return null;
  return cleanTitle(author === '' || title.includes(author) ? title : `${title} – ${author}`, null);
}
