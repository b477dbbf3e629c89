/**
 * The account routes: what each passes from the request to its service, its limits, and its changes of the cookie.
 */
import { type AppConfig, protocolVersion } from '@tunemate/protocol';
import type { BucketName } from '../access/limits.ts';
import type { RegisterRoute, HttpCaller } from '../http/routes.ts';
import { accept } from '../system/ports.ts';
import { deviceName, type SignInService } from './sign-in/sign-in.ts';
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

/** Marks the browser as one that signed in; nothing when it is marked already. */
function keepMark(caller: Pick<HttpCaller, 'device' | 'keepDevice'>, mark: string): void {
  if (mark !== caller.device) caller.keepDevice(mark);
}

/** Their services count them: only wrong codes and passwords take a token. */
const uncounted = () => [];

function signUpRoutes(register: RegisterRoute, { signUp, verification, password }: AccountServices): void {
  register('POST /api/accounts/sign-up', (caller, payload) => signUp.signUp(payload, caller), perNetwork('signUp'));
  register(
    'POST /api/accounts/resend-verification',
    (caller, payload) => signUp.resend(caller.session, payload, caller),
    uncounted,
  );
  register('GET /api/accounts/mailed-link', (caller, link) => verification.status(link, caller), uncounted);
  register(
    'POST /api/accounts/verify-email',
    async (caller, { oobCode }) => {
      const { session, userAgent, address, network } = caller;
      const device = deviceName(userAgent);
      const verified = await verification.verify(oobCode, { session, device, mark: caller.device, address, network });
      if (!verified.ok) return verified;
      const { token, mark, ...rest } = verified.value;
      keepMark(caller, mark);
      if (token !== null) caller.keepSession(token);
      return accept({ ...rest, isSignedIn: token !== null });
    },
    uncounted,
  );
  register(
    'POST /api/accounts/reject-sign-up',
    (caller, { oobCode }) => verification.reject(oobCode, caller),
    uncounted,
  );
  register(
    'POST /api/accounts/request-password-reset',
    ({ address }, payload) => password.requestReset(payload, address),
    perNetwork('resetIp'),
  );
  register(
    'POST /api/accounts/reset-password',
    async (caller, payload) => {
      const done = await password.reset(payload, caller, caller.device);
      if (!done.ok) return done;
      keepMark(caller, done.value.mark);
      return accept({});
    },
    uncounted,
  );
}

function sessionRoutes(register: RegisterRoute, { signIn }: AccountServices): void {
  register(
    'POST /api/accounts/sign-in',
    async (caller, payload) => {
      const { session, address, network, userAgent } = caller;
      const visitor = { session, address, network, device: deviceName(userAgent), mark: caller.device };
      const signedIn = await signIn.signIn(payload, visitor);
      if (!signedIn.ok) return signedIn;
      keepMark(caller, signedIn.value.mark);
      caller.keepSession(signedIn.value.token);
      return accept(signedIn.value.state);
    },
    uncounted,
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
  register(
    'POST /api/accounts/change-password',
    (caller, passwords) => password.change(caller.session, passwords, caller),
    uncounted,
  );
  register(
    'POST /api/accounts/delete',
    async (caller, payload) => {
      const done = await profile.remove(caller.session, payload.password, caller);
      if (done.ok) caller.dropSession();
      return done;
    },
    uncounted,
  );
}
