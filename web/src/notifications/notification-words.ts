/** Texts about notifications. */
import { t } from '../language/t.ts';

export const notificationWords = {
  title: t`Notifications`,
  askToJoin: t`Ask to Join`,
  join: t`Join`,
} as const;
