/**
 * The account routes: what each passes from the request to its service, its limits, and its changes of the cookie.
 */
import { type AppConfig, protocolVersion } from '@tunemate/protocol';
import type { BucketName } from '../access/bounds.ts';
import type { LinkChoice } from '../http/address.ts';
import type { RegisterRoute, HttpCaller } from '../http/routes.ts';
import { accept } from '../system/ports.ts';
import { deviceName, type SignInService } from './sign-in/sign-in.ts';
import type { PasswordService } from './sign-in/passwords.ts';
import type { ProfileService } from './profile.ts';
import type { RemovalService } from './removal.ts';
import type { LettingInService } from './operators/letting-in.ts';
import type { SignUpService } from './sign-up/sign-up.ts';
import type { VerificationService } from './sign-up/verification.ts';
import type { WaitingBrowser, WaitingService } from './sign-up/waiting.ts';

export interface AccountServices {
  signUp: SignUpService;
  lettingIn: LettingInService;
  verification: VerificationService;
  waiting: WaitingService;
  signIn: SignInService;
  password: PasswordService;
  profile: ProfileService;
  removal: RemovalService;
  /** Settings for pages. */
  config: Pick<AppConfig, 'youtubeSearch' | 'youtubeVisiblePlayer' | 'tokenSyncUrl' | 'voiceMessages' | 'linkPreviews'>;
  /** False while SMTP_URL is not set. */
  hasMailServer: boolean;
  needsOperator: () => Promise<boolean>;
  publicUrl: () => string;
  /** What links can begin with, the best first. */
  linkChoices: () => readonly LinkChoice[];
}

/** Counted by network address, signed in or not. */
const perNetwork =
  (bucket: BucketName) =>
  ({ network }: Pick<HttpCaller, 'network'>) =>
    [[bucket, network]] as const;

export function accountRoutes(register: RegisterRoute, services: AccountServices): void {
  register('GET /api/config', async ({ isFromThisMachine, isAtForeignAddress, device }) => {
    const openAt = isAtForeignAddress ? services.publicUrl() : null;
    const signUp = await services.signUp.mode();
    return accept({
      ...{ ...services.config, protocolVersion, openAt, signUp },
      ...(!services.hasMailServer && { noMail: isFromThisMachine ? 'here' : 'elsewhere' }),
      ...(isFromThisMachine && { linkChoices: [...services.linkChoices()] }),
      ...((await services.needsOperator()) && { needsOperator: true }),
      ...(device !== null && { knowsBrowser: true }),
    });
  });
  register('GET /api/session', async ({ session }) => accept(await services.signIn.stateOf(session)));
  signUpRoutes(register, services);
  operatorRoutes(register, services.lettingIn);
  sessionRoutes(register, services);
  ownRoutes(register, services);
}

/** Marks the browser as one that signed in; nothing when it is marked already. */
function keepMark(caller: Pick<HttpCaller, 'device' | 'keepDevice'>, mark: string): void {
  if (mark !== caller.device) caller.keepDevice(mark);
}

/** Their services count them: only wrong codes and passwords take a token. */
const uncounted = () => [];

const waitingBrowser = ({ userAgent, device, ...caller }: HttpCaller): WaitingBrowser => ({
  ...caller,
  device: deviceName(userAgent),
  mark: device,
});

function signUpRoutes(register: RegisterRoute, { signUp, verification, waiting, password }: AccountServices): void {
  register(
    'POST /api/accounts/sign-up',
    async (caller, payload) => {
      const signedUp = await signUp.signUp(payload, caller);
      if (!signedUp.ok) return signedUp;
      const { waiting: secret, ...rest } = signedUp.value;
      caller.keepWaiting(secret);
      return accept(rest);
    },
    perNetwork('signUp'),
  );
  register(
    'POST /api/accounts/continue-sign-up',
    async (caller, { ticket }) => {
      const continued = await waiting.continueSignUp(ticket, waitingBrowser(caller));
      if (!continued.ok) return continued;
      const { value } = continued;
      if (value.status === 'signed-in') {
        caller.dropWaiting();
        keepMark(caller, value.mark);
        caller.keepSession(value.token);
      }
      return accept({ status: value.status });
    },
    uncounted,
  );
  register(
    'POST /api/accounts/resend-verification',
    (caller, payload) => signUp.resend(caller.session, payload, caller),
    uncounted,
  );
  register('GET /api/accounts/mailed-link', (caller, link) => verification.status(link, caller), uncounted);
  register(
    'POST /api/accounts/verify-email',
    async (caller, { oobCode }) => {
      const verified = await verification.verify(oobCode, waitingBrowser(caller));
      if (!verified.ok) return verified;
      const { token, mark, ...rest } = verified.value;
      keepMark(caller, mark);
      if (token !== null) {
        caller.dropWaiting();
        caller.keepSession(token);
      }
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
    (caller, payload) => password.requestReset(payload, caller),
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

function operatorRoutes(register: RegisterRoute, lettingIn: LettingInService): void {
  register('GET /api/operator', ({ session }) => lettingIn.desk(session.uid));
  register('POST /api/operator/told', ({ session }) => lettingIn.told(session.uid));
  register('POST /api/operator/let-in', ({ session }, { id }) => lettingIn.letIn(session.uid, id));
  register('POST /api/operator/refuse', ({ session }, { id }) => lettingIn.refuse(session.uid, id));
  register('POST /api/operator/reset-link', ({ session }, { id }) => lettingIn.resetLink(session.uid, id));
  register(
    'POST /api/accounts/run-server',
    (caller, given) => lettingIn.runServer(given, waitingBrowser(caller)),
    uncounted,
  );
}

function sessionRoutes(register: RegisterRoute, { signIn }: AccountServices): void {
  register(
    'POST /api/accounts/sign-in',
    async (caller, payload) => {
      const { session, address, network, userAgent, waiting, device: mark } = caller;
      const visitor = { session, address, network, device: deviceName(userAgent), mark, waiting };
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
    async (caller, passwords) => {
      const done = await password.change(caller.session, passwords, caller, caller.device);
      if (!done.ok) return done;
      keepMark(caller, done.value.mark);
      return accept({});
    },
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
