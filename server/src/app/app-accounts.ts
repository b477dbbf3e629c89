/**
 * Composes accounts. What other features do when an account is renamed, exported or deleted comes in as hooks.
 */
import type { AccountHook } from '../accounts/accounts-deps.ts';
import type { AccountServices } from '../accounts/accounts-routes.ts';
import { exportService, type ExportService } from '../accounts/export.ts';
import { createPasswords, passwordService } from '../accounts/sign-in/passwords.ts';
import { profileService, removalService } from '../accounts/profile.ts';
import { signInService } from '../accounts/sign-in/sign-in.ts';
import { signUpService, verificationService } from '../accounts/sign-up/sign-up.ts';
import type { Base } from './app-base.ts';
import type { Config } from '../config.ts';

export interface Accounts {
  services: AccountServices;
  exports: ExportService;
}

export function createAccounts(config: Config, base: Base, hooks: readonly AccountHook[]): Accounts {
  const { publicUrl } = base.origins;
  const deps = {
    ...base,
    mailer: base.mail,
    passwords: createPasswords(),
    hooks,
    publicUrl,
  };
  const removal = removalService(deps);
  return {
    services: {
      removal,
      signUp: signUpService(deps),
      verification: verificationService(deps, removal),
      signIn: signInService(deps),
      password: passwordService(deps),
      profile: profileService(deps, removal),
      config: {
        youtubeSearch: config.youtubeApiKey !== null,
        youtubeVisiblePlayer: config.youtubeVisiblePlayer,
        tokenSyncUrl: config.tokenSyncUrl,
        outboxPath: base.outboxPath,
      },
      publicUrl,
    },
    exports: exportService(deps),
  };
}
