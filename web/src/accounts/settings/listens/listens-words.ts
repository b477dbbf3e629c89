/** Texts of the listens that are sent on. `server` is the host's name. */
import { t } from '../../../language/t.ts';

export const listensWords = {
  title: t`Listening history`,
  hint: (server: string) =>
    t`Tracks that you hear in rooms are sent to your account at ${server}. Videos without an artist are left out.`,
  token: t`User token`,
  tokenHint: t`You find it in the settings of your account there. It is never shown here again.`,
  tokenMissing: t`Please enter your token.`,
  connect: t`Send My Listens`,
  connected: t`Your listens are sent from now on.`,
  refused: (server: string) => t`${server} does not know this token. Copy it again from your settings there.`,
  unreachable: (server: string) => t`${server} does not answer. Try again in a few minutes.`,
  sentTo: (name: string, server: string) => t`Your listens go to ${name} at ${server}.`,
  refusedSince: (server: string) =>
    t`${server} no longer takes your token, so nothing is sent. Enter a new one: what waits is sent then.`,
  waiting: (count: number) => t`Waiting to be sent: ${count}`,
  disconnect: t`Stop Sending`,
  failed: t`That did not work`,
} as const;
