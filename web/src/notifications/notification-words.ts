/** Texts about notifications. */
import { t } from '../language/t.ts';

export const notificationWords = {
  title: t`Notifications`,
  empty: t`No notifications`,
  emptyHint: t`Invitations and soulmate requests land here.`,
  accept: t`Accept`,
  decline: t`Decline`,
  askToJoin: t`Ask to Join`,
  join: t`Join`,
  returnToRoom: t`Return to room`,
  dismiss: t`Dismiss`,
  failed: t`That did not work`,
} as const;
