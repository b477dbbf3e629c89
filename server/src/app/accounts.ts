/** Makes the services of accounts, and what stands in for a mail server while none is set. */
import type { AccountsDeps } from '../accounts/accounts-deps.ts';
import type { AccountServices } from '../accounts/accounts-routes.ts';
import { exportService } from '../accounts/export.ts';
import { lettingInService } from '../accounts/operators/letting-in.ts';
import { needsOperator } from '../accounts/operators/operators.ts';
import { createWithoutMail } from '../accounts/operators/without-mail.ts';
import { profileService } from '../accounts/profile.ts';
import { removalService } from '../accounts/removal.ts';
import { createPasswords, passwordService } from '../accounts/sign-in/passwords.ts';
import { signInService } from '../accounts/sign-in/sign-in.ts';
import { signUpService } from '../accounts/sign-up/sign-up.ts';
import { verificationService } from '../accounts/sign-up/verification.ts';
import { waitingService } from '../accounts/sign-up/waiting.ts';
import type { Config } from '../config.ts';
import type { Origins } from '../http/address.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { Doorbell } from '../realtime/feed.ts';
import { findsFfmpeg } from '../system/ffmpeg.ts';
import type { Log } from '../system/ports.ts';

interface AccountParts extends Omit<AccountsDeps, 'mailer' | 'passwords' | 'publicUrl' | 'withoutMail'> {
  mail: MailQueue;
  origins: Origins;
  /** Prints a line to the terminal. */
  say: ((line: string) => void) | undefined;
  doorbell: Doorbell;
}

export function createAccounts(config: Config, { doorbell, say = () => undefined, ...parts }: AccountParts) {
  const { origins } = parts;
  /** A mail that a page of this machine shows leads to the same browser; all others have to reach other devices. */
  const publicUrl = (asker?: { isFromThisMachine: boolean }): string =>
    asker?.isFromThisMachine === true && config.smtpUrl === null ? origins.publicUrl() : origins.linkUrl();
  const offerCode = offerOperatorCode({ log: parts.log, say });
  const withoutMail =
    config.smtpUrl === null
      ? createWithoutMail({
          ...{ ids: parts.ids, say, offerCode },
          send: (to, news) => doorbell.notify({ type: 'ephemeral', to, news }),
        })
      : null;
  const deps = { ...parts, mailer: parts.mail, passwords: createPasswords(), publicUrl, withoutMail };
  const removal = removalService(deps);
  return {
    services: {
      removal,
      signUp: signUpService(deps),
      lettingIn: lettingInService(deps),
      verification: verificationService(deps, removal),
      waiting: waitingService(deps),
      signIn: signInService(deps),
      password: passwordService(deps),
      profile: profileService(deps, removal),
      config: {
        youtubeSearch: config.youtubeApiKey !== null,
        // Asked each time: it may be installed while the server runs.
        get voiceMessages() {
          return findsFfmpeg();
        },
        ...{ linkPreviews: config.linkPreviews, youtubeVisiblePlayer: config.youtubeVisiblePlayer },
        tokenSyncUrl: config.tokenSyncUrl,
      },
      hasMailServer: config.smtpUrl !== null,
      needsOperator: () => needsOperator(parts.record.db),
      publicUrl: origins.publicUrl,
      linkChoices: origins.choices,
    } satisfies AccountServices,
    exports: exportService(deps),
  };
}

/** Says once how the first person becomes the operator of a server that they don't reach by its loopback. */
function offerOperatorCode({ log, say }: { log: Log; say: (line: string) => void }): (code: string) => void {
  let isOffered = false;
  return (code) => {
    if (isOffered) return;
    isOffered = true;
    const advice = 'the first person enters it after signing up, to run this server';
    log.info({ code, advice }, 'operator.code');
    say(`First person: enter the code ${code} after signing up to run this server.`);
  };
}
