/** Why a track was skipped: few rooms read it. */
import { t } from '../language/t.ts';

/** 'Velvet Hour cannot be played. YouTube refused this page.' `code` is of the player's error. */
export function trackFailed(title: string, code: string): string {
  return t`${title} cannot be played. ${why[code] ?? unsupported}`;
}

const unsupported = t`The player does not know how.`;
const why: Readonly<Record<string, string>> = {
  invalid: t`The link is not right.`,
  'not-found': t`It is not there any more.`,
  'not-embeddable': t`Its owner does not allow it outside YouTube.`,
  refused: t`YouTube refused this page.`,
  live: t`It is a live stream, which a room cannot share.`,
};
