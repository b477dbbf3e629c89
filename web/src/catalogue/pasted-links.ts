/** The reader of links in pasted text. Apart, because a page needs it only once a link is pasted. */
export { parseVideoReferences, videoLink } from '@tunemate/domain';
