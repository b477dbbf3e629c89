/**
 * The account routes: what each passes from the request to its service, its limits, and its changes of the cookie.
 */
import { type AppConfig, protocolVersion } from '@tunemate/protocol';
import type { BucketName } from '../access/limits.ts';
import type { RegisterRoute, HttpCaller } from '../http/routes.ts';
import { accept } from '../system/ports.ts';
import { deviceName, type SignInService } from './sign-in/sign-in.ts';
import { addressKey } from './sign-up/email-address.ts';
import type { PasswordService } from './sign-in/passwords.ts';
import type { ProfileService, RemovalService } from './profile.ts';
import type { SignUpService, VerificationService } from './sign-up/sign-up.ts';

export interface AccountServices {
  signUp: SignUpService;
  verification: VerificationService;
  signIn: SignInService;
  password: PasswordService;
  profile: ProfileService;
  removal: RemovalService;
  /** Settings for pages; only local visitors get `outboxPath`. */
  config: Omit<AppConfig, 'protocolVersion' | 'openAt' | 'signUp'>;
  publicUrl: () => string;
}

/** Counted by network address, signed in or not. */
const perNetwork =
  (bucket: BucketName) =>
  ({ network }: Pick<HttpCaller, 'network'>) =>
    [[bucket, network]] as const;

export function accountRoutes(register: RegisterRoute, services: AccountServices): void {
  register('GET /api/config', async ({ isFromThisMachine, isAtForeignAddress }) => {
    const outboxPath = isFromThisMachine ? services.config.outboxPath : null;
    const openAt = isAtForeignAddress ? services.publicUrl() : null;
    const signUp = await services.signUp.mode();
    return accept({ ...services.config, protocolVersion, outboxPath, openAt, signUp });
  });
  register('GET /api/session', async ({ session }) => accept(await services.signIn.stateOf(session)));
  signUpRoutes(register, services);
  sessionRoutes(register, services);
  ownRoutes(register, services);
}

function signUpRoutes(register: RegisterRoute, { signUp, verification, password }: AccountServices): void {
  register(
    'POST /api/accounts/sign-up',
    ({ address }, payload) => signUp.signUp(payload, address),
    perNetwork('signUp'),
  );
  register(
    'POST /api/accounts/resend-verification',
    ({ session, address }, { ticket }) => signUp.resend(session, ticket, address),
    // The service counts it by account.
    () => [],
  );
  register(
    'POST /api/accounts/verify-email',
    async (caller, { oobCode }) => {
      const { session, userAgent, address } = caller;
      const verified = await verification.verify(oobCode, session, deviceName(userAgent), address);
      if (!verified.ok) return verified;
      const { token, ...rest } = verified.value;
      if (token !== null) caller.keepSession(token);
      return accept({ ...rest, isSignedIn: token !== null });
    },
    perNetwork('verify'),
  );
  register(
    'POST /api/accounts/reject-sign-up',
    ({ address }, { oobCode }) => verification.reject(oobCode, address),
    perNetwork('verify'),
  );
  register(
    'POST /api/accounts/request-password-reset',
    ({ address }, { email }) => password.requestReset(email, address),
    ({ network }, { email }) => [
      ['resetIp', network],
      ['resend', `reset:${addressKey(email)}`],
    ],
  );
  register(
    'POST /api/accounts/reset-password',
    ({ address }, { oobCode, password: chosen }) => password.reset(oobCode, chosen, address),
    perNetwork('verify'),
  );
}

function sessionRoutes(register: RegisterRoute, { signIn }: AccountServices): void {
  register(
    'POST /api/accounts/sign-in',
    async (caller, payload) => {
      const { session, address, userAgent } = caller;
      const signedIn = await signIn.signIn(payload, { session, address, device: deviceName(userAgent) });
      if (!signedIn.ok) return signedIn;
      caller.keepSession(signedIn.value.token);
      return accept(signedIn.value.state);
    },
    ({ network }, { email }) => [
      ['signInIp', network],
      ['signIn', addressKey(email)],
    ],
  );
  register('POST /api/accounts/sign-out', async (caller) => {
    const done = await signIn.signOut(caller.session, caller.address);
    caller.dropSession();
    return done;
  });
  register('POST /api/accounts/sign-out-everywhere', async (caller) => {
    const done = await signIn.signOutEverywhere(caller.session, caller.address);
    caller.dropSession();
    return done;
  });
  register('GET /api/accounts/sessions', ({ session }) => signIn.list(session));
  register('POST /api/accounts/revoke-session', async (caller, { sessionId }) => {
    const done = await signIn.revoke(caller.session, sessionId, caller.address);
    if (done.ok && sessionId === caller.session.sessionId) caller.dropSession();
    return done;
  });
}

function ownRoutes(register: RegisterRoute, { password, profile }: AccountServices): void {
  register('PATCH /api/accounts/me', ({ session }, changes) => profile.update(session, changes));
  register('POST /api/accounts/change-password', ({ session, address }, passwords) =>
    password.change(session, passwords, address),
  );
  register('POST /api/accounts/delete', async (caller, payload) => {
    const done = await profile.remove(caller.session, payload.password, caller.address);
    if (done.ok) caller.dropSession();
    return done;
  });
}
