/**
 * Puts the services of this word together.
 */
import type { AccountsDeps } from './accounts-deps.ts';
import type { AccountServices } from './accounts-routes.ts';
import { passwordService } from './password-service.ts';
import { profileService } from './profile-service.ts';
import { removalService } from './removal-service.ts';
import { signInService } from './sign-in-service.ts';
import { signUpService } from './sign-up-service.ts';

export function accountServices(deps: AccountsDeps, config: AccountServices['config']): AccountServices {
  const removal = removalService(deps);
  return {
    removal,
    signUp: signUpService(deps, removal),
    signIn: signInService(deps),
    password: passwordService(deps),
    profile: profileService(deps, removal),
    config,
    publicUrl: deps.publicUrl,
  };
}
